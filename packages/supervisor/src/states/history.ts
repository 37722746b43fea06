/** What earlier attempts left behind for the restart policy. Times in milliseconds. */
export interface History {
  /** Failures since the last time a child was stable. */
  readonly failures: number;
  /** Planned restarts in a row that had to wait. */
  readonly hurries: number;
  readonly lastPlannedAt: number | null;
}

/** A decision about the next start, and the history that goes with it. */
export interface Pacing {
  readonly history: History;
  readonly delayMs: number;
}

export const NO_HISTORY: History = { failures: 0, hurries: 0, lastPlannedAt: null };

/** How long a child has to be `ready` for its past to be forgotten, and planned restarts apart not to be a storm. */
export const STABLE_MS = 60_000;

const DELAYS_S = [1, 2, 4, 8, 16];
const LONGEST_DELAY_S = 30;

/** The delay before the start that follows the nth failure (n from 1): 1, 2, 4, 8, 16, 30, 30 … s. */
function delayAfter(count: number): number {
  return (DELAYS_S[count - 1] ?? LONGEST_DELAY_S) * 1_000;
}

export function afterFailure(history: History): Pacing {
  const failures = history.failures + 1;
  return { history: { ...history, failures }, delayMs: delayAfter(failures) };
}

/**
 * A restart that the child asked for is immediate when it had been ready and the last such restart is a minute away.
 * Otherwise it is paced like a failure, without being counted as one.
 */
export function afterPlannedEnd(history: History, end: { at: number; reachedReady: boolean }): Pacing {
  const apart = history.lastPlannedAt === null || end.at - history.lastPlannedAt >= STABLE_MS;
  if (apart && end.reachedReady) {
    return { history: { ...history, hurries: 0, lastPlannedAt: end.at }, delayMs: 0 };
  }
  const hurries = history.hurries + 1;
  return { history: { ...history, hurries, lastPlannedAt: end.at }, delayMs: delayAfter(hurries) };
}

export function afterStability(history: History): History {
  return { ...history, failures: 0, hurries: 0 };
}
