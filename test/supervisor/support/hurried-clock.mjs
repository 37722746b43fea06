/**
 * Time that runs `factor` times as fast as the real one, for supervisors with real processes. It passes only from one timer
 * to the next: each runs at its own moment, and work in between costs no time, so that on a busy machine this time slows
 * down and never jumps over a deadline.
 */
export function hurriedClock(factor) {
  const timers = [];
  let now = 1_000;
  let scheduled;

  function schedule() {
    clearTimeout(scheduled);
    const [next] = timers;
    if (next !== undefined) scheduled = setTimeout(runNext, Math.max(0, next.due - performance.now()));
  }

  function runNext() {
    const next = timers.shift();
    now = next.at;
    next.run();
    schedule();
  }

  return {
    now: () => now,
    date: () => new Date(),
    after(ms, run) {
      const timer = { at: now + ms, due: performance.now() + ms / factor, run };
      const behind = timers.findIndex(({ at }) => at > timer.at);
      timers.splice(behind < 0 ? timers.length : behind, 0, timer);
      schedule();
      return () => {
        const at = timers.indexOf(timer);
        if (at >= 0) timers.splice(at, 1);
        schedule();
      };
    },
  };
}
