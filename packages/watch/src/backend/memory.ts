import type { FileStamp } from '../scan/stamp.ts';
import type { TreeScan } from '../scan/tree.ts';
import { type Comparison, compareStamps } from '../signature/compare.ts';
import { clockGrains, type Period, racyDuring } from '../signature/racy.ts';

/** The tree as the last scan left it. All paths are root-relative byte paths. */
export interface Memory {
  readonly stamps: ReadonlyMap<string, FileStamp>;
  /** Contents of the files whose stamps prove nothing yet; null: not known, so taken for changed at the next look. */
  readonly racy: ReadonlyMap<string, string | null>;
  /** Entries that were gone between listing and look. */
  readonly vanished: ReadonlySet<string>;
  readonly taken: Period;
}

/** What a scan brings; `files` holds all that is watched, each path once. */
export type Seen = Pick<TreeScan, 'files' | 'skipped' | 'vanished' | 'startedNs' | 'endedNs'>;

/** A digest of a file's contents; null when it cannot be told. */
export type DigestOf = (file: FileStamp) => string | null;

export const NO_MEMORY: Memory = {
  stamps: new Map(),
  racy: new Map(),
  vanished: new Set(),
  taken: { startedNs: 0n, endedNs: 0n },
};

/**
 * Takes a scan in: what to remember now, and the paths that may differ. Files are read here and before the paths are told, so
 * that whoever hears of a path reads what was digested or something newer, which the next scan then finds.
 */
export function takeIn(before: Memory, seen: Seen, digestOf: DigestOf): { memory: Memory; paths: string[] } {
  const { startedNs, endedNs } = seen;
  // Missed twice is gone; missed once may be a save in progress.
  const vanished = seen.vanished.filter((path) => !before.vanished.has(path));
  const result = compareStamps(before.stamps, { ...seen, vanished }, before.taken);
  const stamps = stampsAfter(before.stamps, seen.files, result);
  const racy = racyContents(seen, digestOf);
  const told = new Set([...result.added, ...result.changed]);
  const rewritten = rewrittenPaths({ before, stamps, racy, told, digestOf });
  return {
    memory: { stamps, racy, vanished: new Set(seen.vanished), taken: { startedNs, endedNs } },
    paths: [...told, ...result.removed, ...rewritten],
  };
}

/** The same map when nothing differs, which is nearly always: a new one for a large tree costs as much as the comparison. */
function stampsAfter(before: Memory['stamps'], files: readonly FileStamp[], result: Comparison): Memory['stamps'] {
  const { added, changed, removed, unverified } = result;
  if (added.length + changed.length + removed.length === 0) return before;
  const stamps = new Map(files.map((file) => [file.path, file]));
  for (const path of unverified) {
    const stamp = before.get(path);
    if (stamp !== undefined) stamps.set(path, stamp);
  }
  return stamps;
}

function racyContents(seen: Seen, digestOf: DigestOf): Map<string, string | null> {
  const isRacy = racyDuring(seen, clockGrains(seen.files));
  const racy = seen.files.filter((file) => isRacy(file) && file.kind !== 'other');
  return new Map(racy.map((file) => [file.path, digestOf(file)]));
}

/** Files with equal stamps and other contents than at the last scan. */
function rewrittenPaths(options: {
  readonly before: Memory;
  readonly stamps: ReadonlyMap<string, FileStamp>;
  readonly racy: ReadonlyMap<string, string | null>;
  readonly told: ReadonlySet<string>;
  readonly digestOf: DigestOf;
}): string[] {
  const { before, stamps, racy, told, digestOf } = options;
  const paths: string[] = [];
  for (const [path, digest] of before.racy) {
    const file = stamps.get(path);
    if (file === undefined || told.has(path)) continue;
    const now = racy.get(path) ?? digestOf(file);
    if (digest === null || now !== digest) paths.push(path);
  }
  return paths;
}
