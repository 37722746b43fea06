import { type BigIntStats, lstatSync } from 'node:fs';
import { errnoOf } from '@woods/protocol';
import { compareStamps, decodePath, displayPath, encodePath, type IgnoreRules, scanTree } from '@woods/watch';
import type { SourceInput } from '../model.ts';
import type { Sighting } from './look.ts';
import { SKIP, unreadable } from './skip.ts';

/** What may differ from what is known. Nothing has been opened yet. */
export interface Survey {
  readonly seen: readonly Sighting[];
  /** Known paths that are there no more, or do not belong to the tree any more. */
  readonly removed: readonly string[];
}

/** What is known of the tree, by path. */
export type Known = ReadonlyMap<string, Pick<SourceInput, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino'>>;

/** What belongs to the tree. */
export interface Tree {
  /** Absolute and real. */
  readonly root: string;
  readonly ignore: IgnoreRules;
}

/** Distrusted stamps differ by themselves, so no stamp of an earlier scan needs doubting. */
const NO_DOUBT = { startedNs: 0n, endedNs: 0n };

/**
 * Scans the tree for what differs from what is known; `all` reports every file. What a scan could not see (a directory
 * that may not be listed) stays as it is known.
 * Throws RootUnreadable: a tree that is not there is not an empty tree.
 */
export function surveyTree(tree: Tree, known: Known, report: 'differences' | 'all'): Survey {
  const scan = scanTree(tree);
  const previous = new Map([...known].map(([path, stamp]) => [encodePath(path), stamp]));
  const { added, changed, removed } = compareStamps(previous, scan, NO_DOUBT);
  const differing = report === 'all' ? null : new Set([...added, ...changed]);
  const seen = scan.files
    .filter(({ path }) => differing?.has(path) ?? true)
    .map((stamp): Sighting => sightingOf(stamp.path, stamp));
  for (const { path, reason } of scan.skipped) seen.push(unseen(path, reason));
  const again = surveyPaths(tree, known, scan.vanished.map(textOf));
  const present = new Set(seen.map(({ path }) => path));
  return {
    seen: [...seen, ...again.seen.filter(({ path }) => !present.has(path))],
    removed: [...removed.map(textOf).filter((path) => !present.has(path)), ...again.removed],
  };
}

/**
 * Looks at single files, which are root-relative text; directories are to be surveyed with the tree. A path that is no
 * file stands for everything that was known below it.
 */
export function surveyPaths({ root, ignore }: Tree, known: Known, paths: Iterable<string>): Survey {
  const seen: Sighting[] = [];
  const removed: string[] = [];
  for (const path of paths) {
    const stat = statOf(`${root}/${path}`);
    if (typeof stat === 'string') {
      seen.push(unseen(encodePath(path), stat));
      continue;
    }
    const isFile = stat !== null && !stat.isDirectory();
    if (isFile && !ignore.ignores(encodePath(path), 'file')) {
      seen.push({ path, stamp: { kind: kindOf(stat), ...timesOf(stat) }, skipped: null });
    } else if (known.has(path)) {
      removed.push(path);
    }
    if (!known.has(path)) removed.push(...below(known, path));
  }
  return { seen, removed };
}

/** Known paths inside a directory. */
function below(known: Known, directory: string): string[] {
  const prefix = `${directory}/`;
  return [...known.keys()].filter((path) => path.startsWith(prefix));
}

/** What the index calls a file; a name that is no text is shown with its bytes escaped. */
function textOf(bytePath: string): string {
  return decodePath(bytePath) ?? displayPath(bytePath);
}

function sightingOf(bytePath: string, stamp: Sighting['stamp']): Sighting {
  const skipped = decodePath(bytePath) === null ? SKIP.nameNotUtf8 : null;
  return { path: textOf(bytePath), stamp, skipped };
}

function unseen(bytePath: string, code: string): Sighting {
  const stamp = { kind: 'file', size: 0, mtimeNs: 0n, ctimeNs: 0n, ino: 0n } as const;
  return { path: textOf(bytePath), stamp, skipped: unreadable(code) };
}

/** Null when there is nothing; the system's word when it will not tell. */
function statOf(path: string): BigIntStats | string | null {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    const code = errnoOf(error) ?? String(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : code;
  }
}

function kindOf(stat: BigIntStats): Sighting['stamp']['kind'] {
  return stat.isFile() ? 'file' : stat.isSymbolicLink() ? 'link' : 'other';
}

function timesOf(stat: BigIntStats): Omit<Sighting['stamp'], 'kind'> {
  return { size: Number(stat.size), mtimeNs: stat.mtimeNs, ctimeNs: stat.ctimeNs, ino: stat.ino };
}
