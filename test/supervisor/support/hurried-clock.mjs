/**
 * Time that runs `factor` times as fast as the real one, for supervisors with real processes. Timers run one after the
 * other, each at its own moment: on a busy machine this time slows down, and never jumps over a deadline.
 */
export function hurriedClock(factor) {
  const timers = [];
  let reached = 1_000;
  let since = performance.now();
  let scheduled;

  function now() {
    const passed = reached + (performance.now() - since) * factor;
    return Math.min(passed, timers[0]?.at ?? passed);
  }

  function schedule() {
    clearTimeout(scheduled);
    const [next] = timers;
    if (next !== undefined) scheduled = setTimeout(runNext, (next.at - now()) / factor);
  }

  function runNext() {
    const next = timers.shift();
    reached = next.at;
    since = performance.now();
    next.run();
    schedule();
  }

  return {
    now,
    date: () => new Date(),
    after(ms, run) {
      const timer = { at: now() + ms, run };
      const behind = timers.findIndex(({ at }) => at > timer.at);
      timers.splice(behind < 0 ? timers.length : behind, 0, timer);
      schedule();
      return () => {
        const at = timers.indexOf(timer);
        if (at < 0) return;
        // the time until here has passed, whatever timer is the next one then
        [reached, since] = [now(), performance.now()];
        timers.splice(at, 1);
        schedule();
      };
    },
  };
}
