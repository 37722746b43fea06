/** When the next scan of the whole tree may begin: a cause that repeats itself must not take a core. */

const FREE_SCANS = 3;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 30_000;
const QUIET_MS = 10_000;

export interface Pacer {
  /** Milliseconds to wait before a scan that is wanted now; 0: at once. */
  delayMs(): number;
  /** A scan has ended. */
  scanned(): void;
}

/** Three at once, then after 100 ms, doubled each time up to 30 s; ten seconds without one start again. `now`: monotonic. */
export function openPacer(now: () => number): Pacer {
  let inARow = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  const pauseMs = (): number =>
    inARow < FREE_SCANS ? 0 : Math.min(FIRST_DELAY_MS * 2 ** Math.min(inARow - FREE_SCANS, 20), LONGEST_DELAY_MS);
  return {
    delayMs: () => Math.max(0, lastMs + pauseMs() - now()),
    scanned() {
      inARow = now() - lastMs >= pauseMs() + QUIET_MS ? 1 : inARow + 1;
      lastMs = now();
    },
  };
}
