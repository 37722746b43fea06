import { acquireWriterLock } from '../lock/writer-lock.ts';
import { currentPointer, openGeneration } from './load.ts';
import { mergeIfNeeded, weigh } from './merge.ts';
import { planMerge } from './merge-plan.ts';
import type { SegmentCache } from './segment-cache.ts';

/**
 * Prepares a merge when one is needed and nobody writes: for a moment in which nobody waits either. Takes the writer
 * lock itself. Never throws: what could not be merged is merged another time, in the end by a publish. Returns how many
 * segments the next publish will replace by one.
 */
export async function mergeWhenFree(request: {
  indexDir: string;
  cache: SegmentCache;
  /** 16 by default. */
  maxSegments?: number;
}): Promise<number> {
  const { indexDir, cache, maxSegments } = request;
  try {
    if (planMerge(weigh(openGeneration(indexDir, currentPointer(indexDir), cache)), maxSegments) === null) return 0;
    const lock = await acquireWriterLock(indexDir, { name: 'woods merge', waitMs: 0 });
    try {
      return await mergeIfNeeded(request);
    } finally {
      lock.release();
    }
  } catch {
    return 0;
  }
}
