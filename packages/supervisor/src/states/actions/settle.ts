import { EXIT } from '@woods/protocol';
import { codeToReport, type Decision } from '../decision.ts';
import type { Ending } from '../effect.ts';
import type { EventOf } from '../event.ts';
import { afterFailure, afterPlannedEnd, type Pacing } from '../history.ts';
import * as lines from '../lines.ts';
import { type Action, type Moment, type Step, stay } from '../transition.ts';
import { beginAttempt } from './begin.ts';

type DecisionOf<Kind extends Decision['kind']> = Extract<Decision, { readonly kind: Kind }>;

/** The tree is gone: carry out what was decided when it had to go. */
export const settle: Action<EventOf<'tree_gone'>> = (moment, event) => {
  const decision = moment.context.decision;
  if (decision === null) return stay(moment);
  const step = carryOut(moment, decision);
  if (event.left.length === 0) return step;
  return { ...step, effects: [{ do: 'say', line: lines.leftBehind(event.left) }, ...step.effects] };
};

function carryOut(moment: Moment, decision: Decision): Step {
  switch (decision.kind) {
    case 'retry':
      return retry(moment, decision);
    case 'planned':
      return startAgain(moment);
    case 'restart':
      return announce(beginAttempt(moment), lines.restarting());
    case 'park':
      return park(moment, decision);
    case 'finish':
      return finish(moment, { by: 'signal', signal: decision.signal });
  }
}

function retry(moment: Moment, decision: DecisionOf<'retry'>): Step {
  const pacing = afterFailure(moment.context.history);
  const { failures } = pacing.history;
  const { maxFailures } = moment.context.policy;
  if (maxFailures !== null && failures >= maxFailures) {
    const code = codeToReport(moment.context.attempt.exit);
    return announce(
      finish(moment, { by: 'code', code }),
      lines.tooManyFailures({ what: decision.what, failures, code }),
    );
  }
  return announce(
    waitFor(moment, { pacing, reason: decision.reason }),
    lines.retrying({ what: decision.what, failures, delayMs: pacing.delayMs }),
  );
}

function startAgain(moment: Moment): Step {
  const { history, attempt } = moment.context;
  const { reachedReady } = attempt;
  const pacing = afterPlannedEnd(history, { at: moment.at, reachedReady });
  const line = lines.planned({ delayMs: pacing.delayMs, reachedReady });
  if (pacing.delayMs > 0) return announce(waitFor(moment, { pacing, reason: 'restart_required' }), line);
  return announce(beginAttempt({ ...moment, context: { ...moment.context, history: pacing.history } }), line);
}

function waitFor(moment: Moment, wait: { pacing: Pacing; reason: string }): Step {
  const { history, delayMs } = wait.pacing;
  return {
    state: 'retrying',
    context: { ...withoutChild(moment), history, reason: wait.reason, retryInMs: delayMs },
    effects: [{ do: 'start_timer', timer: 'retry', ms: delayMs }],
  };
}

function park(moment: Moment, decision: DecisionOf<'park'>): Step {
  const context = { ...withoutChild(moment), reason: decision.reason };
  const line = lines.parked(decision);
  if (moment.context.policy.exitOnPark) {
    return announce(finish({ ...moment, context }, { by: 'code', code: EXIT.parked }), line);
  }
  return { state: 'parked', context, effects: [{ do: 'say', line }] };
}

/** The last step of all: nothing of ours runs any more. */
export function finish(moment: Moment, ending: Ending): Step {
  const reason = ending.by === 'signal' ? 'owner_stopped' : moment.context.reason;
  return {
    state: 'stopped',
    context: { ...withoutChild(moment), reason },
    effects: [
      { do: 'stop_timer', timer: 'retry' },
      { do: 'finish', ending },
    ],
  };
}

function withoutChild(moment: Moment): Moment['context'] {
  const { context } = moment;
  return { ...context, decision: null, retryInMs: null, attempt: { ...context.attempt, pid: null, ready: null } };
}

function announce(step: Step, line: ReturnType<typeof lines.restarting>): Step {
  return { ...step, effects: [{ do: 'say', line }, ...step.effects] };
}
