import { type AttemptFacts, NEW_ATTEMPT } from './attempt-facts.ts';
import type { Decision } from './decision.ts';
import { type History, NO_HISTORY } from './history.ts';

/** What the owner asked for on the command line, as far as it decides anything. Times in milliseconds. */
export interface Policy {
  readonly bootTimeoutMs: number;
  readonly exitOnPark: boolean;
  readonly maxFailures: number | null;
}

/** All that a transition may depend on, beside state, event and time. Never changed in place. */
export interface Context {
  readonly policy: Policy;
  readonly attempt: AttemptFacts;
  readonly history: History;
  /** What becomes of us once the tree is gone; null while none has to go. */
  readonly decision: Decision | null;
  /** What the status file says beside the state. */
  readonly reason: string;
  /** Milliseconds from the transition to the next attempt, while one is waited for. */
  readonly retryInMs: number | null;
}

export function initialContext(policy: Policy): Context {
  return {
    policy,
    attempt: NEW_ATTEMPT,
    history: NO_HISTORY,
    decision: null,
    reason: 'boot_pending',
    retryInMs: null,
  };
}
