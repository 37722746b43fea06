/**
 * Merging prepares one segment for several beside the payloads, and the next publish takes it instead of them: nothing
 * that is published changes, no generation is spent, and the edit that comes next pays a link instead of a merge.
 */

import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { atomicWrite, boundedRead } from '@woods/protocol';
import { blockOfFile } from '../segment/block.ts';
import { encodeSegment, type SegmentFile } from '../segment/encode.ts';
import { bodyRangeOf } from '../segment/rows.ts';
import { pathOf } from '../segment/segment.ts';
import { eachLiveFile, type Place, type View, viewOfSegments } from '../segment/view.ts';
import { type Bodies, openBodies } from './bodies.ts';
import { flushDirectory, PRIVATE_DIRECTORY, PRIVATE_FILE } from './files.ts';
import { MERGE } from './layout.ts';
import { currentPointer, type Generation, openGeneration } from './load.ts';
import { decodeEntry, encodeEntry, isObject, type SegmentEntry } from './manifest.ts';
import { planMerge, type SegmentWeight } from './merge-plan.ts';
import { removeDirectory } from './prune.ts';
import { createSegmentCache, type SegmentCache } from './segment-cache.ts';
import { writeSegment } from './write-segment.ts';

const PLAN = 'merge.json';
const PLAN_MAX_BYTES = 1024 * 1024;

/** A merged segment that waits in `directory` to stand for the segments named in `covers`. */
export interface PreparedMerge {
  readonly directory: string;
  readonly entry: SegmentEntry;
  readonly covers: readonly string[];
}

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
    atomicWrite(join(directory, PLAN), JSON.stringify({ covers, segment: encodeEntry(entry) }), { mode: PRIVATE_FILE });
    return { directory, entry, covers };
  } catch (error) {
    removeDirectory(directory);
    throw error;
  }
}

/** The merge that waits for these segments; one that waits for others, or is broken, is removed. */
export function findMerge(indexDir: string, segments: readonly SegmentEntry[]): PreparedMerge | null {
  const directory = join(indexDir, MERGE);
  const read = boundedRead(join(directory, PLAN), PLAN_MAX_BYTES);
  const plan = read.ok ? decodePlan(read.text) : null;
  if (plan !== null && positionOf(plan.covers, segments) !== null) return { directory, ...plan };
  removeDirectory(directory);
  return null;
}

/** `segments` with the merged one in place of those that it covers. */
export function withMerge(segments: readonly SegmentEntry[], merge: PreparedMerge): SegmentEntry[] {
  const at = positionOf(merge.covers, segments);
  return at === null ? [...segments] : segments.toSpliced(at, merge.covers.length, merge.entry);
}

function positionOf(covers: readonly string[], segments: readonly SegmentEntry[]): number | null {
  const at = segments.findIndex(({ name }) => name === covers[0]);
  return at >= 0 && covers.every((name, offset) => segments[at + offset]?.name === name) ? at : null;
}

function decodePlan(text: string): { entry: SegmentEntry; covers: string[] } | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(value) || !Array.isArray(value.covers)) return null;
  const entry = decodeEntry(value.segment);
  const covers = value.covers.filter((name) => typeof name === 'string');
  return entry === null || covers.length === 0 || covers.length !== value.covers.length ? null : { entry, covers };
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
