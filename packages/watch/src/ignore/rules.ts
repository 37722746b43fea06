import { encodePath, parentPath } from '../bytes/path.ts';
import { isWorkTree } from '../git/repository.ts';
import { type Directory, deriveDirectory, lookAtRuleFiles, type RuleStamps, readRuleFiles } from './directory.ts';
import { openGlobs } from './globs.ts';
import { belongs, type Context, type EntryKind } from './judge.ts';
import { openMatcher } from './matcher.ts';
import { isOutdated, readOutsideRules } from './outside.ts';

export interface TreeOptions {
  /** Absolute real path, text. */
  readonly root: string;
  /** Absolute path of the index directory, text; nothing in it is ever seen. */
  readonly indexDir: string;
  /** Globs on root-relative paths, on top of git's rules. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** All that decides what belongs to a tree. Paths are root-relative byte paths. */
export interface IgnoreRules {
  /** Whether the entry, or a directory above it, is ignored. Answers from what was read last; see `reload`. */
  ignores(path: string, kind: EntryKind): boolean;
  /** Forgets what the rule files in the tree say: the next question reads them again. */
  forget(): void;
  /** Forgets everything: the next question reads all rules again. */
  reload(): void;
  /**
   * Reads git's index, settings and personal rules again if they were written since; true when that changes what is ignored.
   * Rule files in the tree are seen by each scan.
   */
  refresh(): boolean;
  /** Why git could not be asked, with the remedy, in one line; null when it could, or when there is no repository. */
  problem(): string | null;
  /** What holds in a directory; null when it is ignored, or a work tree of its own. */
  at(path: string): Directory | null;
  /** For the scan: what holds in a directory that was just listed; null when it is a work tree of its own. */
  enter(parent: Directory | null, path: string, listing: RuleListing): Directory | null;
  /** For the scan: whether an entry of a directory that was entered belongs to the tree. */
  keeps(directory: Directory, name: string, kind: EntryKind): boolean;
}

/** What a listing tells of the entries that bear on the rules. */
interface RuleListing {
  readonly stamps: RuleStamps;
  readonly hasGit: boolean;
}

/** Verdicts held at most; beyond it all are dropped and found again. */
const MAX_VERDICTS = 200_000;

/** Opens the rules of a tree. An unreadable rule file counts as empty, as with git; trouble with git is `problem()`. */
export function openIgnore(options: TreeOptions): IgnoreRules {
  const rootPath = encodePath(options.root);
  const directories = new Map<string, Directory | null>();
  let verdicts = 0;
  let context: Context = {
    outside: readOutsideRules(options.root),
    globs: openGlobs(options),
    indexInTree: pathBelow(rootPath, encodePath(options.indexDir)),
  };

  function forget(): void {
    directories.clear();
    verdicts = 0;
  }

  function enter(parent: Directory | null, path: string, { stamps, hasGit }: RuleListing): Directory | null {
    const { outside } = context;
    const absolute = path === '' ? rootPath : `${rootPath}/${path}`;
    // As git does: a repository inside is another tree, unless this one tracks files in it.
    if (hasGit && path !== '' && !outside.tracked.directories.has(path) && isWorkTree(absolute)) {
      directories.set(path, null);
      return null;
    }
    const known = directories.get(path) ?? null;
    const rules = readRuleFiles(absolute, stamps, known?.rules ?? null);
    if (known !== null && known.parent === parent && sameText(known.rules, rules)) {
      known.rules = rules;
      return known;
    }
    const above = parent ?? { git: outside.matcher, woods: openMatcher(outside.caseRule), onlyTracked: false };
    const gitPrefix = `${outside.prefix}${path === '' ? '' : `${path}/`}`;
    const onlyTracked = above.onlyTracked || (gitPrefix !== '' && above.git.test(gitPrefix) === 'ignored');
    const directory = deriveDirectory({ path, parent, above, rules, gitPrefix, onlyTracked });
    directories.set(path, directory);
    return directory;
  }

  function keeps(directory: Directory, name: string, kind: EntryKind): boolean {
    const key = kind === 'dir' ? `${name}/` : name;
    const known = directory.verdicts.get(key);
    if (known !== undefined) return known;
    const verdict = belongs(directory, name, kind, context);
    verdicts += 1;
    if (verdicts > MAX_VERDICTS) forget();
    directory.verdicts.set(key, verdict);
    return verdict;
  }

  function directoryAt(path: string): Directory | null {
    const known = directories.get(path);
    if (known !== undefined) return known;
    const parent = path === '' ? null : directoryAt(parentPath(path));
    if (path !== '' && (parent === null || !keeps(parent, nameOf(path), 'dir'))) return null;
    const absolute = path === '' ? rootPath : `${rootPath}/${path}`;
    return enter(parent, path, { stamps: lookAtRuleFiles(absolute), hasGit: path !== '' });
  }

  return {
    ignores(path, kind) {
      const parent = directoryAt(parentPath(path));
      if (parent === null || !keeps(parent, nameOf(path), kind)) return true;
      return kind === 'dir' && directoryAt(path) === null;
    },
    forget,
    reload() {
      forget();
      context = { ...context, outside: readOutsideRules(options.root) };
    },
    refresh() {
      if (!isOutdated(context.outside)) return false;
      const before = context.outside;
      context = { ...context, outside: readOutsideRules(options.root) };
      if (before.fingerprint === context.outside.fingerprint) return false;
      forget();
      return true;
    },
    problem: () => context.outside.problem,
    at: directoryAt,
    enter,
    keeps,
  };
}

function sameText(a: Directory['rules'], b: Directory['rules']): boolean {
  return a.gitText === b.gitText && a.woodsText === b.woodsText;
}

function pathBelow(root: string, path: string): string | null {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
