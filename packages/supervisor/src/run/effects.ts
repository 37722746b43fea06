import type { Attempt } from '../attempt/attempt.ts';
import type { Cancel, Clock } from '../clock/clock.ts';
import { startDeadline } from '../clock/deadline.ts';
import type { Leftovers } from '../leftovers/leftovers.ts';
import type { Log } from '../log/log.ts';
import type { Effect, Timer } from '../states/effect.ts';
import type { Event } from '../states/event.ts';
import type { StatusJournal } from '../status/journal.ts';
import type { TreeSignal } from '../stop/signaller.ts';

/** Does what transitions want done. */
export interface Hands {
  carryOut(effect: Effect): void;
  /** To the process group of the current attempt, if it has one. */
  relay(signal: TreeSignal): void;
  /** Lets go of the current attempt and of all timers. */
  close(): void;
}

const TIMER_EVENT: Readonly<Record<Timer, Event>> = {
  boot: { name: 'boot_timeout' },
  leave: { name: 'leave_timeout' },
  retry: { name: 'retry_due' },
};

export function createHands(tools: {
  clock: Clock;
  log: Log;
  journal: StatusJournal;
  leftovers: Pick<Leftovers, 'learn'>;
  notifyReady: () => void;
  openAttempt: (emit: (event: Event) => void) => Attempt;
  dispatch: (event: Event) => void;
}): Hands {
  const timers = new Map<Timer, Cancel>();
  let attempt: Attempt | null = null;

  function openAttempt(): void {
    attempt?.close();
    // what an attempt says after the next one began is about nothing any more
    const opened: Attempt = tools.openAttempt((event) => {
      if (attempt === opened) tools.dispatch(event);
    });
    attempt = opened;
    opened.arm();
    tools.journal.retire(opened.token);
  }

  function stopTimer(timer: Timer): void {
    timers.get(timer)?.();
    timers.delete(timer);
  }

  const doers: { readonly [Name in Effect['do']]: (effect: Extract<Effect, { readonly do: Name }>) => void } = {
    open_attempt: openAttempt,
    spawn: () => attempt?.spawn(),
    stop_tree: () => attempt?.stop(),
    kill_tree: () => attempt?.kill(),
    start_timer({ timer, ms }) {
      stopTimer(timer);
      timers.set(
        timer,
        startDeadline(tools.clock, ms, () => tools.dispatch(TIMER_EVENT[timer])),
      );
    },
    stop_timer: ({ timer }) => stopTimer(timer),
    adopt_index({ index }) {
      // before the journal removes the records of the dead
      if (tools.leftovers.learn(index)) tools.dispatch({ name: 'leftovers_found' });
      tools.journal.adopt(index);
    },
    refresh_status: () => tools.journal.refresh(),
    notify_ready: () => tools.notifyReady(),
    say: ({ line }) => tools.log(line),
    // the loop's own: it ends with this one
    finish: () => {},
  };

  return {
    carryOut(effect) {
      // the type above pairs each name with its effect; the pairing is lost once the name is a variable
      const doIt = doers[effect.do] as (effect: Effect) => void;
      doIt(effect);
    },
    relay: (signal) => attempt?.relay(signal),
    close() {
      attempt?.close();
      for (const timer of [...timers.keys()]) stopTimer(timer);
    },
  };
}
