/** Why a batch asks for a full scan, or why there are no paths at all. */
export type BatchReason = 'queue-overflow' | 'root-gone' | 'watch-limit' | 'dir-event' | 'unmount' | 'backend-error';

/**
 * What may have changed: hints to look at, never facts about what happened. Root-relative byte paths.
 * `overflow` means that paths are missing and only a full scan tells; it stays until the batch is taken.
 */
export interface Batch {
  readonly paths: Set<string>;
  /** Directories to be looked at as a whole; polling names files only and leaves it empty. */
  readonly dirs: Set<string>;
  readonly overflow: boolean;
  /** 'root-gone' without `overflow`: the root is missing now; with it: the root is back. */
  readonly reason: BatchReason | null;
}

export function emptyBatch(): Batch {
  return { paths: new Set(), dirs: new Set(), overflow: false, reason: null };
}

/** Whether the batch says nothing. */
export function isEmptyBatch({ paths, dirs, overflow, reason }: Batch): boolean {
  return paths.size === 0 && dirs.size === 0 && !overflow && reason === null;
}

/** Both together; an overflow in either is one in the result, with its reason. */
export function mergeBatches(earlier: Batch, later: Batch): Batch {
  const told = later.overflow || !earlier.overflow ? later : earlier;
  return {
    paths: new Set([...earlier.paths, ...later.paths]),
    dirs: new Set([...earlier.dirs, ...later.dirs]),
    overflow: earlier.overflow || later.overflow,
    reason: told.reason ?? earlier.reason ?? later.reason,
  };
}
