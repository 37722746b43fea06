/**
 * Merging prepares one segment for several beside the payloads, and the next publish takes it instead of them: nothing
 * that is published changes, no generation is spent, and the edit that comes next pays a link instead of a merge.
 */
import { currentPointer, type Generation, openGeneration } from './load.ts';
import { planMerge, type SegmentWeight } from './merge-plan.ts';
import { prepareMerge } from './prepare-merge.ts';
import { findMerge } from './prepared-merge.ts';
import { createSegmentCache, type SegmentCache } from './segment-cache.ts';

/**
 * Prepares a merge when there are too many segments or too much garbage. For the holder of the writer lock, after a
 * publish was answered. Returns how many segments the next publish will replace by one, 0 when all is well.
 * Throws IndexError when the published generation cannot be read, and the system's error when the merge cannot be
 * written; nothing is left behind then, and the published generation is untouched.
 */
export async function mergeIfNeeded(request: {
  indexDir: string;
  cache?: SegmentCache;
  /** 16 by default. */
  maxSegments?: number;
}): Promise<number> {
  const { indexDir } = request;
  const cache = request.cache ?? createSegmentCache();
  const generation = openGeneration(indexDir, currentPointer(indexDir), cache);
  const from = planMerge(weigh(generation), request.maxSegments);
  if (from === null) return 0;
  const prepared = findMerge(indexDir, generation.manifest.segments);
  return (prepared ?? prepareMerge(indexDir, generation, from, cache)).covers.length;
}

/** What each segment weighs, oldest first. */
export function weigh({ manifest, view }: Generation): SegmentWeight[] {
  return view.segments.map((segment, at) => {
    const entry = manifest.segments[at];
    const { file_body_bytes } = segment.columns;
    const [first, units] = [view.firstUnit[at] ?? 0, segment.header.counts.unit];
    const dead = view.deadUnits.subarray(first, first + units).reduce((sum, flag) => sum + flag, 0);
    const firstFile = view.firstFile[at] ?? 0;
    const deadText = file_body_bytes.reduce(
      (sum, bytes, file) => sum + (view.deadFiles[firstFile + file] === 1 ? bytes : 0),
      0,
    );
    const rows = entry?.bytes ?? 0;
    return {
      bytes: rows + (entry?.bodiesBytes ?? 0),
      garbage: Math.round(units === 0 ? 0 : (rows * dead) / units) + deadText,
    };
  });
}
