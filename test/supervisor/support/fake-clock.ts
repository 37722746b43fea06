import type { Clock } from '@woods/supervisor';

/** Time that only passes when a test says so. */
export interface FakeClock extends Clock {
  /** Lets time pass; timers run in their order, each at its moment. */
  advance(ms: number): void;
  /** Lets time pass in which nothing of us runs; what became due runs late, once. */
  suspend(ms: number): void;
  /** Timers that are set. */
  pending(): number;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

export function createFakeClock(): FakeClock {
  let now = 1_000;
  const timers = new Set<Timer>();

  function nextDue(limit: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers) if (timer.at <= limit && (next === undefined || timer.at < next.at)) next = timer;
    return next;
  }

  function runUntil(limit: number): void {
    for (let timer = nextDue(limit); timer !== undefined; timer = nextDue(limit)) {
      timers.delete(timer);
      now = Math.max(now, timer.at);
      timer.run();
    }
    now = limit;
  }

  return {
    now: () => now,
    date: () => new Date(Date.UTC(2030, 0, 1) + now),
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance: (ms) => runUntil(now + ms),
    suspend(ms) {
      now += ms;
      runUntil(now);
    },
    pending: () => timers.size,
  };
}
