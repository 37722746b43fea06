/** Paths whose work is not in a published generation yet. Immutable; merging never loses one. */

export interface Pending {
  /** Root-relative text paths. */
  readonly paths: ReadonlySet<string>;
  /** The whole tree is owed: some paths are unknown, or there are too many to name. */
  readonly wholeTree: boolean;
}

/** Above either bound the names are dropped and the whole tree is owed instead. */
export const MAX_PENDING_PATHS = 10_000;
export const MAX_PENDING_BYTES = 1024 * 1024;

export const NOTHING_PENDING: Pending = { paths: new Set(), wholeTree: false };
export const WHOLE_TREE_PENDING: Pending = { paths: new Set(), wholeTree: true };

export function mergePending(a: Pending, b: Pending): Pending {
  if (a.wholeTree || b.wholeTree) return WHOLE_TREE_PENDING;
  if (b.paths.size === 0) return a;
  if (a.paths.size === 0) return bounded(b.paths);
  return bounded(new Set([...a.paths, ...b.paths]));
}

export function pendingPaths(paths: Iterable<string>): Pending {
  return bounded(new Set(paths));
}

export function isNothingPending(pending: Pending): boolean {
  return !pending.wholeTree && pending.paths.size === 0;
}

function bounded(paths: ReadonlySet<string>): Pending {
  if (paths.size > MAX_PENDING_PATHS) return WHOLE_TREE_PENDING;
  let bytes = 0;
  for (const path of paths) bytes += Buffer.byteLength(path);
  return bytes > MAX_PENDING_BYTES ? WHOLE_TREE_PENDING : { paths, wholeTree: false };
}
