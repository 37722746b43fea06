/** A merged segment that waits for the next publish, and the plan beside it that says what it stands for. */
import { join } from 'node:path';
import { atomicWrite, boundedRead, parseObject } from '@woods/protocol';
import { decodeEntry } from './decode-manifest.ts';
import { PRIVATE_FILE } from './files.ts';
import { MERGE } from './layout.ts';
import { encodeEntry, type SegmentEntry } from './manifest.ts';
import { removeDirectory } from './prune.ts';

const PLAN = 'merge.json';
const PLAN_MAX_BYTES = 1024 * 1024;

/** A merged segment that waits in `directory` to stand for the segments named in `covers`. */
export interface PreparedMerge {
  readonly directory: string;
  readonly entry: SegmentEntry;
  readonly covers: readonly string[];
}

/** Written last: a directory without it is a leftover. */
export function writePlan({ directory, entry, covers }: PreparedMerge): void {
  atomicWrite(join(directory, PLAN), JSON.stringify({ covers, segment: encodeEntry(entry) }), { mode: PRIVATE_FILE });
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
  const value = parseObject(text);
  if (value === null || !Array.isArray(value.covers)) return null;
  const entry = decodeEntry(value.segment);
  const covers = value.covers.filter((name) => typeof name === 'string');
  return entry === null || covers.length === 0 || covers.length !== value.covers.length ? null : { entry, covers };
}
