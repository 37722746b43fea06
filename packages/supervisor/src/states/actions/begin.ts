import { NEW_ATTEMPT } from '../attempt-facts.ts';
import { judgeSpawnFailure } from '../decision.ts';
import type { EventOf } from '../event.ts';
import * as lines from '../lines.ts';
import type { Action, Moment, Step } from '../transition.ts';
import { conclude } from './conclude.ts';

/** A fresh attempt: nothing of the last one stands, except the history that paces restarts. */
export function beginAttempt(moment: Moment): Step {
  return {
    state: 'arming',
    context: { ...moment.context, attempt: NEW_ATTEMPT, decision: null, reason: 'boot_pending', retryInMs: null },
    effects: [{ do: 'stop_timer', timer: 'retry' }, { do: 'open_attempt' }],
  };
}

/** The guardian knows the token, so whatever carries it can be started. */
export const spawnCommand: Action<EventOf<'armed'>> = (moment) => ({
  state: 'spawning',
  context: moment.context,
  effects: [{ do: 'spawn' }],
});

export const giveUpArming: Action<EventOf<'arm_failed'>> = (moment, event) =>
  conclude(moment, {
    kind: 'retry',
    reason: 'guardian_failed',
    what: `the guardian did not come up, so the command was not started (${event.detail})`,
  });

export const awaitRecords: Action<EventOf<'spawned'>> = (moment, event) => ({
  state: 'starting',
  context: { ...moment.context, attempt: { ...moment.context.attempt, pid: event.pid } },
  effects: [
    { do: 'start_timer', timer: 'boot', ms: moment.context.policy.bootTimeoutMs },
    { do: 'say', line: lines.started(event.pid) },
  ],
});

export const giveUpSpawning: Action<EventOf<'spawn_failed'>> = (moment, event) =>
  conclude(moment, judgeSpawnFailure(event));
