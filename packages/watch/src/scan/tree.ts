import type { BigIntStats } from 'node:fs';
import { displayPath, encodePath, joinPath, parentPath } from '../bytes/path.ts';
import type { Directory } from '../ignore/directory.ts';
import { GIT_RULES, WOODS_RULES } from '../ignore/rule-file.ts';
import type { IgnoreRules } from '../ignore/rules.ts';
import { RootUnreadable, ScanStopped } from './errors.ts';
import { type Listed, listDirectory } from './list-directory.ts';
import { type FileStamp, type Look, look, stampOf } from './stamp.ts';

/** A tree as one walk found it. All paths are root-relative byte paths. */
export interface TreeScan {
  readonly files: readonly FileStamp[];
  /** Entries that the system would not show: nothing is known of them or of what lies below. `reason` is its error, e.g. `EACCES`. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** Entries that were listed and gone when they were looked at: one scan does not tell whether they are being replaced. */
  readonly vanished: readonly string[];
  /** Rule files that are ignored themselves, and so are not among `files`, but decide about them. */
  readonly hiddenRules: readonly FileStamp[];
  /** Directories left out because they are work trees of their own. */
  readonly nested: readonly string[];
  /** Wall clock around the walk, nanoseconds since 1970; with these a later comparison can tell which stamps prove nothing. */
  readonly startedNs: bigint;
  readonly endedNs: bigint;
}

export interface ScanOptions {
  /** Absolute real path, text. */
  readonly root: string;
  readonly ignore: IgnoreRules;
  /** Asked once a directory. */
  readonly shouldStop?: () => boolean;
  /** Called with each directory before it is listed: what is watched first and read second loses nothing in between. */
  readonly arm?: (path: string) => void;
  /** A directory that belongs to the tree, to be walked instead of the whole of it. */
  readonly from?: string;
}

/** What one walk collects. */
interface Found {
  readonly files: FileStamp[];
  readonly skipped: { path: string; reason: string }[];
  readonly vanished: string[];
  readonly hiddenRules: FileStamp[];
  readonly nested: string[];
}

interface Visit {
  readonly path: string;
  readonly parent: Directory | null;
}

/**
 * Walks the tree: one listing a directory, one lstat a file that is not ignored, none for directories, none below what is
 * ignored. Files come in the order of their names within a directory (Node's listing tells no inode to sort by).
 * @throws RootUnreadable, ScanStopped
 */
export function scanTree({ root, ignore, shouldStop = () => false, arm, from = '' }: ScanOptions): TreeScan {
  const rootPath = encodePath(root);
  const startedNs = nowNs();
  const found: Found = { files: [], skipped: [], vanished: [], hiddenRules: [], nested: [] };
  const parent = from === '' ? null : ignore.at(parentPath(from));
  const waiting: Visit[] = from === '' || parent !== null ? [{ path: from, parent }] : [];
  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    if (shouldStop()) throw new ScanStopped();
    arm?.(visit.path);
    const listing = listDirectory(absolutePath(rootPath, visit.path));
    if ('error' in listing) noteUnlisted(visit.path, listing.error, found, root);
    else for (const below of visitDirectory(visit, listing.entries, { rootPath, ignore, found })) waiting.push(below);
  }
  return { ...found, startedNs, endedNs: nowNs() };
}

/** Notes the files of one directory and hands back the directories in it, last first. */
function visitDirectory(
  { path, parent }: Visit,
  entries: readonly Listed[],
  { rootPath, ignore, found }: { rootPath: string; ignore: IgnoreRules; found: Found },
): Visit[] {
  const absolute = absolutePath(rootPath, path);
  const names = new Set<string>();
  for (const { name } of entries) if (name.startsWith('.')) names.add(name);
  const rules = new Map<string, Look>();
  for (const name of [GIT_RULES, WOODS_RULES]) if (names.has(name)) rules.set(name, look(`${absolute}/${name}`));
  const stamps = {
    [GIT_RULES]: statIn(rules.get(GIT_RULES) ?? null),
    [WOODS_RULES]: statIn(rules.get(WOODS_RULES) ?? null),
  };
  const directory = ignore.enter(parent, path, { stamps, hasGit: names.has('.git') });
  if (directory === null) {
    found.nested.push(path);
    return [];
  }
  const below: Visit[] = [];
  for (const { name, kind } of entries) {
    const entryPath = joinPath(path, name);
    const seen = rules.get(name) ?? (kind === 'unknown' ? look(`${absolute}/${name}`) : null);
    const isDirectory = kind === 'dir' || (kind === 'unknown' && (statIn(seen)?.isDirectory() ?? false));
    if (isDirectory) {
      if (ignore.keeps(directory, name, 'dir')) below.push({ path: entryPath, parent: directory });
      continue;
    }
    const kept = ignore.keeps(directory, name, 'file');
    if (!kept && !rules.has(name)) continue;
    noteFile(entryPath, seen ?? look(`${absolute}/${name}`), found, kept ? found.files : found.hiddenRules);
  }
  return below.reverse();
}

function noteFile(path: string, seen: Look, found: Found, files: FileStamp[]): void {
  if ('stat' in seen) {
    // A directory has taken the file's place since the listing; the next scan lists it.
    if (seen.stat.isDirectory()) found.vanished.push(path);
    else files.push(stampOf(path, seen.stat));
  } else if (isGone(seen.error)) found.vanished.push(path);
  else found.skipped.push({ path, reason: seen.error });
}

function noteUnlisted(path: string, error: string, found: Found, root: string): void {
  if (path === '') throw new RootUnreadable(displayPath(encodePath(root)), error);
  if (isGone(error)) found.vanished.push(path);
  else found.skipped.push({ path, reason: error });
}

function isGone(error: string): boolean {
  return error === 'ENOENT' || error === 'ENOTDIR';
}

function statIn(seen: Look | null): BigIntStats | null {
  return seen !== null && 'stat' in seen ? seen.stat : null;
}

function absolutePath(rootPath: string, path: string): string {
  return path === '' ? rootPath : `${rootPath}/${path}`;
}

function nowNs(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}
