/** What outlives a cycle: what is owed, and how the worker is. */
import { isNothingPending, mergePending, NOTHING_PENDING, type Pending } from '../pending/pending.ts';
import type { Condition, Trouble } from '../status/condition.ts';
import type { Collaborators } from './collaborators.ts';

export interface Standing {
  pending(): Pending;
  condition(): Condition;
  /** Something cannot be done now: it is kept, and the worker is degraded. */
  owe(owed: Pending, trouble: Trouble): void;
  /** Nothing is owed any more. `trouble` null: nothing but the baseline is wrong. */
  settle(change: Omit<Partial<Condition>, 'pending' | 'lastError'> & { readonly trouble: Trouble | null }): void;
  /** Adds to what is owed, for the next process. */
  keep(more: Pending): void;
  /** Until `tell`, nobody hears of changes. */
  hush(): void;
  tell(): void;
}

export interface StandingStart {
  readonly pending: Pending;
  readonly generation: number | null;
  /** What is wrong as long as the process lives; null: nothing. */
  readonly baseline: Trouble | null;
}

const CATCHING_UP: Trouble = { reason: 'catching_up', message: 'comparing the tree with the index' };

export function openStanding(
  parts: Pick<Collaborators, 'keep' | 'onCondition' | 'say'>,
  { pending: owedAtStart, generation, baseline }: StandingStart,
): Standing {
  let pending = owedAtStart;
  let hushed = false;
  let condition: Condition = {
    trouble: baseline ?? CATCHING_UP,
    generation,
    caughtUp: false,
    held: [],
    pending: countOf(pending),
    lastRun: null,
    lastError: null,
  };

  function setPending(next: Pending): void {
    if (isNothingPending(pending) && isNothingPending(next)) return;
    pending = next;
    parts.keep(pending);
  }

  function become(change: Partial<Condition> & { readonly trouble: Trouble | null }): void {
    const before = condition.trouble;
    const after = change.trouble ?? baseline;
    const lastError = after === baseline ? condition.lastError : (after?.message ?? null);
    condition = { ...condition, ...change, trouble: after, lastError, pending: countOf(pending) };
    if (after !== null && after.message !== before?.message) parts.say(`degraded: ${after.message}`);
    if (after === baseline && before !== baseline && before !== CATCHING_UP) parts.say('running again');
    if (!hushed) parts.onCondition(condition);
  }

  return {
    pending: () => pending,
    condition: () => condition,
    owe: (owed, trouble) => {
      setPending(mergePending(pending, owed));
      become({ trouble });
    },
    settle: (change) => {
      setPending(NOTHING_PENDING);
      become(change);
    },
    keep: (more) => setPending(mergePending(pending, more)),
    hush: () => {
      hushed = true;
    },
    tell: () => {
      hushed = false;
      parts.onCondition(condition);
    },
  };
}

function countOf(pending: Pending): number | 'all' {
  return pending.wholeTree ? 'all' : pending.paths.size;
}
