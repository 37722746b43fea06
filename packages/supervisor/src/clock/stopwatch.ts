import type { Clock } from './clock.ts';

/**
 * Measures time in which this process was able to run. A step between two looks that is longer than `longestStepMs`
 * can only mean that we were suspended (SIGSTOP, a sleeping machine), and counts as that much and no more: a child
 * must not be declared late for the hours in which its supervisor did not exist.
 */
export interface Stopwatch {
  /** Milliseconds counted so far, including the step that ends with this call. */
  look(): number;
}

export function startStopwatch(clock: Clock, options: { longestStepMs: number }): Stopwatch {
  let counted = 0;
  let last = clock.now();
  return {
    look() {
      const now = clock.now();
      counted += Math.min(Math.max(now - last, 0), options.longestStepMs);
      last = now;
      return counted;
    },
  };
}
