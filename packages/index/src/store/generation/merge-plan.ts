/** When segments are merged, and which. Pure. */

export interface SegmentWeight {
  /** Of the segment and its bodies. */
  readonly bytes: number;
  /** How many of them belong to files that a newer segment replaced or deleted. */
  readonly garbage: number;
}

export const MAX_SEGMENTS = 16;
/** Below this much there is no cost worth a merge. */
const GARBAGE_FLOOR_BYTES = 256 * 1024;

/**
 * The position from which all segments are to become one; null when they are fine as they are. Weights stand in the
 * order of the segments, oldest first; a merge must always reach the newest, or an old block could come back.
 *
 * Too many segments: the young, small ones are merged, and an older one only when it is not much larger than all that
 * follows, so that the large first one is not rewritten for every sixteen saves. Too much garbage: everything.
 */
export function planMerge(weights: readonly SegmentWeight[], maxSegments: number = MAX_SEGMENTS): number | null {
  const bytes = sum(weights.map((weight) => weight.bytes));
  const garbage = sum(weights.map((weight) => weight.garbage));
  if (garbage > GARBAGE_FLOOR_BYTES && garbage > bytes / 2) return 0;
  if (weights.length <= maxSegments) return null;
  let from = Math.floor(weights.length / 2);
  let run = sum(weights.slice(from).map((weight) => weight.bytes));
  for (; from > 0; from -= 1) {
    const before = weights[from - 1]?.bytes ?? 0;
    if (before > 2 * run) break;
    run += before;
  }
  return from;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
