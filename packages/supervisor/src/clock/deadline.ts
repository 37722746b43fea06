import type { Cancel, Clock } from './clock.ts';
import { startStopwatch } from './stopwatch.ts';

const SLICE_MS = 1_000;
const LATENESS_MS = 250;

/**
 * Calls `onDue` after `ms` of running time. The wait is cut into slices of a second, so that a suspension of any length
 * costs at most one slice.
 */
export function startDeadline(clock: Clock, ms: number, onDue: () => void): Cancel {
  const watch = startStopwatch(clock, { longestStepMs: SLICE_MS + LATENESS_MS });
  let cancel: Cancel = () => {};
  const wait = (remaining: number): void => {
    cancel = clock.after(Math.min(remaining, SLICE_MS), () => {
      const left = ms - watch.look();
      if (left <= 0) onDue();
      else wait(left);
    });
  };
  wait(ms);
  return () => cancel();
}
