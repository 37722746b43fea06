import { judgeExit, judgeLastWord, judgeLateBoot, judgeRefusal } from '../decision.ts';
import type { EventOf } from '../event.ts';
import * as lines from '../lines.ts';
import { type Action, stay } from '../transition.ts';
import { conclude } from './conclude.ts';
import { creditReady } from './upkeep.ts';

export const noteTaskLoaded: Action<EventOf<'task_loaded'>> = (moment) => ({
  state: 'booting',
  context: moment.context,
  effects: [],
});

/** The boot is over: what comes now may take as long as the tree is large. */
export const adoptIdentity: Action<EventOf<'identity'>> = (moment, event) => ({
  state: 'identified',
  context: moment.context,
  effects: [
    { do: 'stop_timer', timer: 'boot' },
    { do: 'adopt_index', index: event.index },
  ],
});

export const noteLeftovers: Action<EventOf<'leftovers_found'>> = (moment) => ({
  ...stay(moment),
  context: { ...moment.context, attempt: { ...moment.context.attempt, besideLeftovers: true } },
});

export const noteBackend: Action<EventOf<'backend_ready'>> = (moment) => ({
  state: 'reconciling',
  context: { ...moment.context, reason: 'backend_ready' },
  effects: [],
});

export const noteStartup: Action<EventOf<'startup'>> = (moment, event) => {
  const { context, at } = creditReady(moment);
  const ready = event.state === 'ready';
  // A child that floods must not take the terminal with it.
  const known = moment.state === event.state && moment.context.reason === event.reason;
  return {
    state: event.state,
    context: {
      ...context,
      reason: event.reason,
      attempt: {
        ...context.attempt,
        reachedReady: context.attempt.reachedReady || ready,
        ready: ready ? (context.attempt.ready ?? { ms: 0, countedTo: at }) : null,
      },
    },
    effects: [
      ...(known ? [] : [{ do: 'say', line: lines.startup(event) } as const]),
      ...(ready ? [{ do: 'notify_ready' } as const] : []),
    ],
  };
};

/** A child that ends as it said takes milliseconds; until here its last state stands, and no file is written in its way. */
const OVERDUE_MS = 1_000;
/** How long a child may take from its last word to its end: it has nothing left to do. */
const LEAVE_MS = 30_000;

/** Nothing that it said before holds any more. */
export const noteTerminal: Action<EventOf<'terminal'>> = (moment, event) => {
  const { context } = creditReady(moment);
  const attempt = { ...context.attempt, terminal: event.reason, ready: null };
  return {
    state: 'leaving',
    context: { ...context, reason: event.reason, attempt },
    effects: [
      { do: 'stop_timer', timer: 'boot' },
      { do: 'start_timer', timer: 'leave', ms: OVERDUE_MS },
    ],
  };
};

export const noteOverdue: Action<EventOf<'leave_timeout'>> = (moment) => ({
  state: 'overdue',
  context: moment.context,
  effects: [{ do: 'start_timer', timer: 'leave', ms: LEAVE_MS - OVERDUE_MS }],
});

/** It said that it ends, and did not: its word counts, and its tree is stopped like any other. */
export const judgeOverstay: Action<EventOf<'leave_timeout'>> = (moment) =>
  conclude(moment, judgeLastWord(moment.context.attempt, LEAVE_MS));

/** Only a validator that let an event pass out of order could lead here; the child is as wrong as any other liar. */
export const refuseOutOfOrder: Action<{ readonly name: string }> = (moment, event) =>
  conclude(moment, judgeRefusal({ reason: 'out_of_order', detail: `${event.name} came out of order` }));

export const refuseChild: Action<EventOf<'refused'>> = (moment, event) => conclude(moment, judgeRefusal(event));

export const judgeEnd: Action<EventOf<'exited'>> = (moment, event) => {
  const { context } = creditReady(moment);
  const attempt = { ...context.attempt, exit: event };
  return conclude({ ...moment, context: { ...context, attempt } }, judgeExit(event, attempt));
};

export const giveUpSilentBoot: Action<EventOf<'boot_timeout'>> = (moment) =>
  conclude(moment, judgeLateBoot({ spoke: false, timeoutMs: moment.context.policy.bootTimeoutMs }));

export const giveUpSlowBoot: Action<EventOf<'boot_timeout'>> = (moment) =>
  conclude(moment, judgeLateBoot({ spoke: true, timeoutMs: moment.context.policy.bootTimeoutMs }));
