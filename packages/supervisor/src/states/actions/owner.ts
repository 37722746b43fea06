import type { EventOf } from '../event.ts';
import * as lines from '../lines.ts';
import { type Action, stay } from '../transition.ts';
import { conclude } from './conclude.ts';
import { finish } from './settle.ts';

/**
 * npm and Procfile runners pass on a signal that the terminal has already sent to us, so one Ctrl-C arrives twice. What
 * follows so soon is no second wish.
 */
const ECHO_MS = 150;

/** The owner stops us while a child lives or is about to. */
export const stopAttempt: Action<EventOf<'stop'>> = (moment, event) => {
  const step = conclude(moment, { kind: 'finish', signal: event.signal, at: moment.at });
  return { ...step, effects: [{ do: 'say', line: lines.stopping(event.signal) }, ...step.effects] };
};

/** The owner stops us while nothing of ours runs. */
export const stopIdle: Action<EventOf<'stop'>> = (moment, event) => {
  const step = finish(moment, { by: 'signal', signal: event.signal });
  return { ...step, effects: [{ do: 'say', line: lines.stopping(event.signal) }, ...step.effects] };
};

/**
 * A stop while a tree is already being stopped: the first one replaces the decision, a second INT or TERM has lost its
 * patience. The first signal is the one that we end by.
 */
export const stopWhileStopping: Action<EventOf<'stop'>> = (moment, event) => {
  const { decision } = moment.context;
  if (decision?.kind !== 'finish') {
    return {
      ...stay(moment, { do: 'say', line: lines.stopping(event.signal) }),
      context: { ...moment.context, decision: { kind: 'finish', signal: event.signal, at: moment.at } },
    };
  }
  const impatient = event.signal === 'SIGINT' || event.signal === 'SIGTERM';
  if (!impatient || moment.at - decision.at < ECHO_MS) return stay(moment);
  return stay(moment, { do: 'say', line: lines.killing() }, { do: 'kill_tree' });
};

export const restartAttempt: Action<EventOf<'restart'>> = (moment) => conclude(moment, { kind: 'restart' });

/** A restart never overrules the owner's wish to end. */
export const restartWhileStopping: Action<EventOf<'restart'>> = (moment) => {
  if (moment.context.decision?.kind === 'finish') return stay(moment);
  return { ...stay(moment), context: { ...moment.context, decision: { kind: 'restart' } } };
};

/** The child whose tree is being stopped has been reaped. The decision stands; its code may still have to be told. */
export const noteExit: Action<EventOf<'exited'>> = (moment, event) => ({
  ...stay(moment),
  context: { ...moment.context, attempt: { ...moment.context.attempt, exit: event } },
});
