/** What is owed when something cannot be done now. Pure. */
import { NOTHING_PENDING, type Pending, pendingPaths, WHOLE_TREE_PENDING } from '../pending/pending.ts';
import type { Sorted } from '../policy/sort.ts';
import type { Run } from './plan.ts';

export function owedByRun(run: Run): Pending {
  return run.kind === 'verify' ? WHOLE_TREE_PENDING : pendingPaths(run.paths);
}

/** When the process ends in the middle of it: what a catch-up has not done yet is what the next one looks for anyway. */
export function owedIfLeft(run: Run): Pending {
  return run.kind === 'verify' && run.reason === 'catch_up' ? NOTHING_PENDING : owedByRun(run);
}

export function owedFor(sorted: Sorted): Pending {
  return sorted.overflow || sorted.rescan ? WHOLE_TREE_PENDING : pendingPaths(sorted.work);
}
