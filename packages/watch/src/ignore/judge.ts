import { joinPath } from '../bytes/path.ts';
import { isBuiltIn } from './builtin.ts';
import type { Directory } from './directory.ts';
import type { Globs } from './globs.ts';
import type { OutsideRules } from './outside.ts';

/** What is the same for all directories of a tree. */
export interface Context {
  readonly outside: OutsideRules;
  readonly globs: Globs;
  /** Root-relative byte path of the index directory; null when it lies outside. */
  readonly indexInTree: string | null;
}

export type EntryKind = 'file' | 'dir';

/**
 * Whether an entry of `directory` belongs to the tree. Order of the rules, the first that says no wins: git and the index;
 * .woodsignore; the configuration's globs; git's rules, which never touch what is tracked; the built-in directories.
 */
export function belongs(directory: Directory, name: string, kind: EntryKind, context: Context): boolean {
  if (name === '.git') return false;
  const path = joinPath(directory.path, name);
  return kind === 'dir' ? directoryBelongs(directory, path, context) : fileBelongs(directory, path, context);
}

function fileBelongs(directory: Directory, path: string, { outside, globs }: Context): boolean {
  if (directory.woods.test(path) === 'ignored' || !globs.keeps(path)) return false;
  if (outside.tracked.exceptions.has(path)) return true;
  return !directory.onlyTracked && directory.git.test(outside.prefix + path) !== 'ignored';
}

function directoryBelongs(directory: Directory, path: string, { outside, globs, indexInTree }: Context): boolean {
  if (path === indexInTree) return false;
  const woods = directory.woods.test(`${path}/`);
  if (woods === 'ignored' || !globs.descends(path)) return false;
  const { tracked } = outside;
  const gitIgnores = directory.onlyTracked || directory.git.test(`${outside.prefix}${path}/`) === 'ignored';
  if (gitIgnores && !tracked.exceptionDirectories.has(path)) return false;
  return !isBuiltIn(path) || tracked.directories.has(path) || woods === 'taken_back';
}
