import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { quote, UsageError } from '@woods/protocol';

/**
 * Paths as typed, relative to `cwd`, as root-relative ones with `/`. They may name what is gone: a deletion is a change
 * like any other. Throws UsageError for one outside the root.
 */
export function treePaths(typed: readonly string[], { root, cwd }: { root: string; cwd: string }): Set<string> {
  return new Set(typed.map((path) => treePath(path, root, cwd)));
}

function treePath(typed: string, root: string, cwd: string): string {
  const absolute = resolve(cwd, typed);
  const inside = below(root, absolute) ?? below(root, withRealParent(absolute));
  if (inside !== null && typed !== '' && !typed.includes('\0')) return inside;
  throw new UsageError(`expected paths below the root ${quote(root)}, found ${quote(typed)}`);
}

function below(root: string, path: string): string | null {
  const inside = relative(root, path);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return null;
  return inside.split(sep).join('/');
}

/** The path with the links of its directory resolved; a link at its end is part of the tree and stays. */
function withRealParent(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    // a directory that is gone has no links to resolve
    return path;
  }
}
