import type { EventOf } from '../event.ts';
import { afterStability, STABLE_MS } from '../history.ts';
import * as lines from '../lines.ts';
import { type Action, type Moment, stay } from '../transition.ts';

/** Heartbeats are 5 s apart; a longer gap means that we were suspended and proves nothing about the child. */
const LONGEST_CREDIT_MS = 6_000;

export const refreshStatus: Action<EventOf<'heartbeat'>> = (moment) => stay(moment, { do: 'refresh_status' });

export const refreshReady: Action<EventOf<'heartbeat'>> = (moment) =>
  stay(creditReady(moment), { do: 'refresh_status' });

/** Counts the time in `ready` up to now, and forgets the past of a child that has been stable for long enough. */
export function creditReady(moment: Moment): Moment {
  const { attempt, history } = moment.context;
  if (attempt.ready === null) return moment;
  const ms = attempt.ready.ms + Math.min(moment.at - attempt.ready.countedTo, LONGEST_CREDIT_MS);
  return {
    ...moment,
    context: {
      ...moment.context,
      attempt: { ...attempt, ready: { ms, countedTo: moment.at } },
      history: ms >= STABLE_MS ? afterStability(history) : history,
    },
  };
}

/** The status file tells it too, until the child's next word. */
export const noteGuardian: Action<EventOf<'guardian_replaced'>> = (moment) => ({
  ...stay(moment, { do: 'say', line: lines.guardianReplaced() }),
  context: { ...moment.context, reason: 'guardian_replaced' },
});

export const sayGuardian: Action<EventOf<'guardian_replaced'>> = (moment) =>
  stay(moment, { do: 'say', line: lines.guardianReplaced() });
