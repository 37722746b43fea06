/** Undoes a timer. Harmless once it has run. */
export type Cancel = () => void;

/**
 * The only source of time in this package. `now` is monotonic milliseconds, so no clock change moves a deadline;
 * `date` is the wall clock and is for showing only.
 */
export interface Clock {
  now(): number;
  date(): Date;
  after(ms: number, run: () => void): Cancel;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or at once when `signal` aborts. Never rejects. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal?.addEventListener('abort', done);
  });
}
