/** Segments that are in memory already, and how they were last read as one: a publish or a reload reads only the new. */

import { extendView, viewOfSegments } from '../segment/build-view.ts';
import { openSegment, type Segment } from '../segment/segment.ts';
import type { View } from '../segment/view.ts';
import { readExactly } from './files.ts';
import { segmentPath } from './layout.ts';
import type { SegmentEntry } from './manifest.ts';

export interface SegmentCache {
  /** `directoryOf` says where the files of an entry are. Throws IndexError `corrupt_artifact`. */
  view(entries: readonly SegmentEntry[], directoryOf: (entry: SegmentEntry) => string): View;
  put(entry: SegmentEntry, segment: Segment): void;
  /** Forgets all others. */
  keepOnly(entries: readonly SegmentEntry[]): void;
}

/** One for each reader or writer of one index; segments are immutable, so an entry of the same name and hash is the same. */
export function createSegmentCache(): SegmentCache {
  const segments = new Map<string, Segment>();
  let last: { readonly keys: readonly string[]; readonly view: View } = { keys: [], view: viewOfSegments([]) };

  function open(entry: SegmentEntry, directory: string): Segment {
    const known = segments.get(keyOf(entry));
    if (known !== undefined) return known;
    const segment = openSegment(readExactly(segmentPath(directory, entry.name), entry.bytes), entry.name);
    segments.set(keyOf(entry), segment);
    return segment;
  }

  return {
    view: (entries, directoryOf) => {
      const keys = entries.map(keyOf);
      const opened = entries.map((entry) => open(entry, directoryOf(entry)));
      const added = last.keys.every((key, at) => keys[at] === key) ? opened.slice(last.keys.length) : opened;
      if (added.length === 0 && keys.length > 0) return last.view;
      const [next] = added;
      const isNext = next !== undefined && added.length === 1 && keys.length === last.keys.length + 1;
      last = { keys, view: isNext ? extendView(last.view, next) : viewOfSegments(opened) };
      return last.view;
    },
    put: (entry, segment) => segments.set(keyOf(entry), segment),
    keepOnly: (entries) => {
      const kept = new Set(entries.map(keyOf));
      for (const key of segments.keys()) if (!kept.has(key)) segments.delete(key);
      if (last.keys.some((key) => !kept.has(key))) last = { keys: [], view: viewOfSegments([]) };
    },
  };
}

function keyOf(entry: SegmentEntry): string {
  return `${entry.name}:${entry.sha256}`;
}
