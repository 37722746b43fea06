/** What a cycle has to run, decided from what changed and what is owed. Pure. */
import { isNothingPending, type Pending } from '../pending/pending.ts';
import type { Sorted } from '../policy/sort.ts';

/** Why the whole tree is compared with the published generation. */
export type VerifyReason = 'catch_up' | 'overflow' | 'rescan' | 'storm' | 'pending' | 'moved';

export type Plan =
  | { readonly kind: 'none' }
  /** Record these paths and what reads them. */
  | { readonly kind: 'update'; readonly paths: ReadonlySet<string> }
  /** Scan the tree, record what differs. `paths`: the named part of what is owed, to be carried should the run fail. */
  | { readonly kind: 'verify'; readonly reason: VerifyReason; readonly paths: ReadonlySet<string> };

export type Run = Exclude<Plan, { readonly kind: 'none' }>;

export interface PlanInput {
  readonly sorted: Sorted;
  readonly pending: Pending;
  /** Files whose last good record is kept; they are tried again whenever something runs. */
  readonly held: readonly string[];
  /** `retry`: run what is owed although nothing happened. */
  readonly trigger: 'event' | 'retry';
  /** More paths than this are a storm. */
  readonly fullThreshold: number;
  /** The pointer on disk is not the one that our last run left: another writer published, or the index is gone. */
  readonly pointer: 'ours' | 'moved';
}

export function planRun(input: PlanInput): Plan {
  const { sorted, pending, held, trigger, fullThreshold, pointer } = input;
  const asked = sorted.work.size > 0 || sorted.rescan || sorted.overflow;
  const owed = !isNothingPending(pending) || held.length > 0;
  if (!asked && !(trigger === 'retry' && owed)) return { kind: 'none' };

  const paths = new Set([...pending.paths, ...sorted.work]);
  const reason = verifyReason();
  return reason === null ? { kind: 'update', paths: new Set([...paths, ...held]) } : { kind: 'verify', reason, paths };

  function verifyReason(): VerifyReason | null {
    if (sorted.overflow) return 'overflow';
    if (sorted.rescan) return 'rescan';
    if (paths.size > fullThreshold) return 'storm';
    if (pending.wholeTree) return 'pending';
    return pointer === 'moved' ? 'moved' : null;
  }
}
