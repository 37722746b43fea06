import { type Batch, emptyBatch, isEmptyBatch, mergeBatches } from '../backend/batch.ts';

/** Git's own operations are over before this; an older lock was left behind and holds nothing. */
const LOCK_HOLD_MS = 10_000;
/** While a lock holds: nothing tells that it is gone but looking. */
const LOCK_LOOK_MS = 50;

export interface SettlerOptions {
  /** Milliseconds without a new path before a batch is due. */
  readonly debounceMs: number;
  /** Milliseconds after its first path when a batch is due although paths keep coming; never less than `debounceMs`. */
  readonly maxWaitMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Facts that the settler cannot see for itself. */
interface SettleFacts {
  /** Age of git's index.lock in milliseconds; null when there is none. */
  readonly indexLockMs: number | null;
}

/** Gathers batches until the tree is quiet. */
export interface Settler {
  /** Adds what came; an empty batch changes nothing. */
  note(batch: Batch): void;
  /** Milliseconds until `take` should be called or, under a lock, until it is worth asking again; 0: now; null: nothing is held. */
  due(facts: SettleFacts): number | null;
  /** Everything held, in one batch; what comes later starts anew. */
  take(): Batch;
}

/** A debounce with an upper bound that waits for git to finish. Holds no timer: the caller asks `due` and sleeps. */
export function openSettler({ debounceMs, maxWaitMs, now }: SettlerOptions): Settler {
  let held = emptyBatch();
  let firstMs = 0;
  let lastMs = 0;
  return {
    note(batch) {
      if (isEmptyBatch(batch)) return;
      lastMs = now();
      if (isEmptyBatch(held)) firstMs = lastMs;
      held = mergeBatches(held, batch);
    },
    due({ indexLockMs }) {
      if (isEmptyBatch(held)) return null;
      const dueMs = Math.min(lastMs + debounceMs, firstMs + Math.max(maxWaitMs, debounceMs));
      const left = Math.max(0, dueMs - now());
      if (indexLockMs === null || indexLockMs >= LOCK_HOLD_MS) return left;
      return Math.max(left, Math.min(LOCK_LOOK_MS, LOCK_HOLD_MS - indexLockMs));
    },
    take() {
      const batch = held;
      held = emptyBatch();
      return batch;
    },
  };
}
