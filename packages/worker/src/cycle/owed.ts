/** What is owed when something cannot be done now. Pure. */
import { type Pending, pendingPaths, WHOLE_TREE_PENDING } from '../pending/pending.ts';
import type { Sorted } from '../policy/sort.ts';
import type { Run } from './plan.ts';

export function owedByRun(run: Run): Pending {
  return run.kind === 'verify' ? WHOLE_TREE_PENDING : pendingPaths(run.paths);
}

export function owedFor(sorted: Sorted): Pending {
  return sorted.overflow || sorted.rescan ? WHOLE_TREE_PENDING : pendingPaths(sorted.work);
}
