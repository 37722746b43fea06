/** Segments that are in memory already: a publish or a reload reads only the new ones. */
import { openSegment, type Segment } from '../segment/segment.ts';
import { readExactly } from './files.ts';
import { segmentPath } from './layout.ts';
import type { SegmentEntry } from './manifest.ts';

export interface SegmentCache {
  /** Throws IndexError `corrupt_artifact`. */
  open(payloadDir: string, entry: SegmentEntry): Segment;
  put(entry: SegmentEntry, segment: Segment): void;
  /** Forgets all others. */
  keepOnly(entries: readonly SegmentEntry[]): void;
}

/** One for each reader or writer of one index; segments are immutable, so an entry of the same name and hash is the same. */
export function createSegmentCache(): SegmentCache {
  const segments = new Map<string, Segment>();
  return {
    open: (payloadDir, entry) => {
      const known = segments.get(keyOf(entry));
      if (known !== undefined) return known;
      const segment = openSegment(readExactly(segmentPath(payloadDir, entry.name), entry.bytes), entry.name);
      segments.set(keyOf(entry), segment);
      return segment;
    },
    put: (entry, segment) => segments.set(keyOf(entry), segment),
    keepOnly: (entries) => {
      const kept = new Set(entries.map(keyOf));
      for (const key of segments.keys()) if (!kept.has(key)) segments.delete(key);
    },
  };
}

function keyOf(entry: SegmentEntry): string {
  return `${entry.name}:${entry.sha256}`;
}
