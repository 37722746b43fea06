/** Several segments into one, beside the payloads. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { blockOfFile } from '../segment/block.ts';
import { viewOfSegments } from '../segment/build-view.ts';
import { encodeSegment } from '../segment/encode.ts';
import { bodyRangeOf } from '../segment/rows.ts';
import { pathOf } from '../segment/segment.ts';
import type { SegmentFile } from '../segment/segment-file.ts';
import { eachLiveFile, type Place, type View } from '../segment/view.ts';
import { type Bodies, openBodies } from './bodies.ts';
import { flushDirectory, PRIVATE_DIRECTORY } from './files.ts';
import { MERGE } from './layout.ts';
import type { Generation } from './load.ts';
import type { SegmentEntry } from './manifest.ts';
import { type PreparedMerge, writePlan } from './prepared-merge.ts';
import { removeDirectory } from './prune.ts';
import type { SegmentCache } from './segment-cache.ts';
import { writeSegment } from './write-segment.ts';

/**
 * Merges all segments of `generation` from the position `from` on. Throws the system's error, and leaves nothing then.
 * The caller holds the writer lock.
 */
export function prepareMerge(
  indexDir: string,
  generation: Generation,
  from: number,
  cache: SegmentCache,
): PreparedMerge {
  const directory = join(indexDir, MERGE);
  removeDirectory(directory);
  const covered = generation.manifest.segments.slice(from);
  const covers = covered.map(({ name }) => name);
  try {
    mkdirSync(directory, { mode: PRIVATE_DIRECTORY });
    const name = `m${generation.manifest.generation}-${randomBytes(4).toString('hex')}`;
    const view = viewOfSegments(generation.view.segments.slice(from));
    const tombstones = from === 0 ? [] : standingTombstones(view);
    const entry = writeMerged(directory, name, { view, tombstones, payloadDir: generation.payloadDir }, cache);
    flushDirectory(directory);
    // Written last: without it the directory is a leftover.
    writePlan({ directory, entry, covers });
    return { directory, entry, covers };
  } catch (error) {
    removeDirectory(directory);
    throw error;
  }
}

/** Paths that the merged segment must go on deleting from the segments before it. */
function standingTombstones(view: View): string[] {
  const deleted = new Set(view.segments.flatMap(({ header }) => header.tombstones));
  eachLiveFile(view, (_, { segment, number }) => deleted.delete(pathOf(segment, number)));
  return [...deleted];
}

function writeMerged(
  directory: string,
  name: string,
  content: { view: View; tombstones: readonly string[]; payloadDir: string },
  cache: SegmentCache,
): SegmentEntry {
  const places = new Map<string, Place>();
  const files: SegmentFile[] = [];
  eachLiveFile(content.view, (_, place) => {
    const block = blockOfFile(place.segment, place.number);
    places.set(block.input.path, place);
    files.push({ ...block, bodyBytes: bodyRangeOf(place.segment, place.number)?.bytes ?? null });
  });
  const bodies: Bodies[] = content.view.segments.map((segment) => openBodies(content.payloadDir, segment));
  try {
    const bodyOf = ({ input }: SegmentFile) => {
      const place = places.get(input.path);
      return place === undefined ? null : (bodies[place.at]?.read(place.number) ?? null);
    };
    return writeSegment(directory, name, encodeSegment({ files, tombstones: content.tombstones }), bodyOf, cache);
  } finally {
    for (const one of bodies) one.close();
  }
}
