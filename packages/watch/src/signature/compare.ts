import type { FileStamp } from '../scan/stamp.ts';
import type { TreeScan } from '../scan/tree.ts';
import { clockGrains, type Period, racyDuring } from './racy.ts';

/** What must be remembered of a file. `kind` may be missing where it is known to be 'file' or not known at all. */
export type KnownStamp = Pick<FileStamp, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino'> & Partial<Pick<FileStamp, 'kind'>>;

/** Root-relative byte paths; no path is in two lists. */
export interface Comparison {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Not found, but the scan could not see where they were: to be kept as they are. */
  readonly unverified: readonly string[];
  /** Equal stamps that prove nothing because they were taken too soon after a write: only the contents tell. */
  readonly racy: readonly string[];
}

/**
 * Compares what is remembered of a tree with a scan of it. Pure.
 *
 * @param taken when the remembered stamps were taken: the period of the scan they come from
 */
export function compareStamps(
  previous: ReadonlyMap<string, KnownStamp>,
  scan: Pick<TreeScan, 'files' | 'skipped' | 'vanished'>,
  taken: Period,
): Comparison {
  const isRacy = racyDuring(taken, clockGrains(scan.files));
  const added: string[] = [];
  const changed: string[] = [];
  const racy: string[] = [];
  for (const file of scan.files) {
    const known = previous.get(file.path);
    if (known === undefined) added.push(file.path);
    else if (!sameStamp(known, file)) changed.push(file.path);
    else if (isRacy(file)) racy.push(file.path);
  }
  const missing = missingOf(previous, scan.files, added.length);
  const unseen = new Set([...scan.skipped.map(({ path }) => path), ...scan.vanished]);
  const unverified = missing.filter((path) => liesIn(path, unseen));
  const removed = unverified.length === 0 ? missing : missing.filter((path) => !liesIn(path, unseen));
  return { added, changed, removed, unverified, racy };
}

/** Equal in type, size, both times to the nanosecond, and inode. */
export function sameStamp(known: KnownStamp, file: FileStamp): boolean {
  return (
    known.size === file.size &&
    known.mtimeNs === file.mtimeNs &&
    known.ctimeNs === file.ctimeNs &&
    known.ino === file.ino &&
    (known.kind === undefined || known.kind === file.kind)
  );
}

function missingOf(previous: ReadonlyMap<string, unknown>, files: readonly FileStamp[], added: number): string[] {
  if (previous.size === files.length - added) return [];
  const present = new Set(files.map(({ path }) => path));
  return [...previous.keys()].filter((path) => !present.has(path));
}

function liesIn(path: string, places: ReadonlySet<string>): boolean {
  if (places.size === 0) return false;
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (places.has(path.slice(0, end))) return true;
  }
  return false;
}
