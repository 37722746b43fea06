/** When a degraded worker tries again by itself. */

/** Seconds; a held lock is let go of sooner than a cause that somebody has to repair. */
const LONGEST_S = { contended: 30, failed: 300 } as const;

/** `failures`: degraded cycles in a row, from 1. In ms: 1, 2, 4, 8 … seconds up to the longest for the cause. */
export function retryDelayMs(failures: number, cause: keyof typeof LONGEST_S): number {
  const seconds = 2 ** Math.min(failures - 1, 20);
  return Math.min(seconds, LONGEST_S[cause]) * 1000;
}
