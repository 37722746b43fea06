import { runGit } from './run.ts';

/** What must be known of git's index to tell what is never ignored. Root-relative byte paths. */
export interface Tracked {
  /** Tracked files that an ignore rule matches: few, so the other tracked names need not be held in memory. */
  readonly exceptions: ReadonlySet<string>;
  /** Directories with an exception somewhere below them. */
  readonly exceptionDirectories: ReadonlySet<string>;
  /** Directories with any tracked file somewhere below them; '' is the root. */
  readonly directories: ReadonlySet<string>;
}

export const NOTHING_TRACKED: Tracked = {
  exceptions: new Set(),
  exceptionDirectories: new Set(),
  directories: new Set(),
};

export type ReadTracked = { readonly tracked: Tracked; readonly problem: string | null };

/** Asks git twice: for all tracked names, of which only the directories are kept, and for those that its own rules ignore. */
export function readTracked(root: string): ReadTracked {
  const all = runGit(['ls-files', '-z'], { cwd: root });
  if (!all.ok) return { tracked: NOTHING_TRACKED, problem: `git ls-files failed: ${all.detail || all.failure}` };
  const ignored = runGit(['ls-files', '-z', '-c', '-i', '--exclude-standard'], { cwd: root });
  if (!ignored.ok)
    return { tracked: NOTHING_TRACKED, problem: `git ls-files failed: ${ignored.detail || ignored.failure}` };
  const exceptions = new Set(names(ignored.stdout));
  return {
    tracked: {
      exceptions,
      exceptionDirectories: directoriesAbove(exceptions),
      directories: directoriesAbove(names(all.stdout)),
    },
    problem: null,
  };
}

function names(output: Buffer): string[] {
  return output.toString('latin1').split('\0').slice(0, -1);
}

function directoriesAbove(paths: Iterable<string>): Set<string> {
  const directories = new Set<string>();
  for (const path of paths) {
    let at = path.lastIndexOf('/');
    for (; at > 0 && !directories.has(path.slice(0, at)); at = path.lastIndexOf('/', at - 1)) {
      directories.add(path.slice(0, at));
    }
    directories.add('');
  }
  return directories;
}
