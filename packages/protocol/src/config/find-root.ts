import { accessSync, constants, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../names/usage-error.ts';
import { errnoOf } from '../values/errors.ts';
import { printable, quote } from '../values/quote.ts';
import { declaresWorkspaces } from './workspaces.ts';

export interface FoundRoot {
  /** Absolute, links resolved. */
  readonly root: string;
  /** What made this directory the root. */
  readonly found: 'option' | 'woods.json' | 'git' | 'package';
}

/**
 * The one rule for the root, for every process of ours: the option; else the nearest directory upward with `woods.json`
 * or `.git`; else, where there is neither, the outermost workspace root; else the nearest `package.json`. So a package
 * inside a repository or workspace belongs to it, wherever a command is typed.
 * Throws UsageError when there is no such directory, or it cannot be read.
 */
export function findRoot(options: { root?: string | undefined; cwd: string }): FoundRoot {
  if (options.root === '') {
    throw new UsageError('--root takes a directory; found an empty text (is a variable unset?)');
  }
  if (options.root !== undefined) {
    return { root: readableDirectory(resolve(options.cwd, options.root), '--root'), found: 'option' };
  }
  const start = readableDirectory(options.cwd, 'the current directory');
  let nearestPackage: string | null = null;
  let outermostWorkspace: string | null = null;
  for (const directory of upward(start)) {
    if (has(directory, 'woods.json')) return { root: directory, found: 'woods.json' };
    if (has(directory, '.git')) return { root: directory, found: 'git' };
    if (has(directory, 'package.json')) nearestPackage ??= directory;
    if (declaresWorkspaces(directory)) outermostWorkspace = directory;
  }
  const root = outermostWorkspace ?? nearestPackage;
  if (root !== null) return { root, found: 'package' };
  throw new UsageError(
    `expected woods.json, .git or package.json in ${quote(start)} or above it, found none; ` +
      'go into a project, or name one with --root',
  );
}

function* upward(start: string): Generator<string> {
  for (let directory = start; ; directory = dirname(directory)) {
    yield directory;
    if (directory === dirname(directory)) return;
  }
}

function has(directory: string, name: string): boolean {
  try {
    return lstatSync(join(directory, name), { throwIfNoEntry: false }) !== undefined;
  } catch {
    // a directory that may not be looked into holds nothing for us
    return false;
  }
}

function readableDirectory(path: string, what: string): string {
  if (path.includes('\0')) throw new UsageError(`expected ${what} to be a directory, found ${quote(path)}`);
  try {
    const root = realpathSync.native(path);
    if (!statSync(root).isDirectory()) {
      throw new UsageError(`expected ${what} to be a directory, found a file: ${quote(path)}`);
    }
    accessSync(root, constants.R_OK | constants.X_OK);
    return root;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`expected ${what} to be a readable directory, found ${quote(path)}: ${causeOf(error)}`);
  }
}

const CAUSES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such directory',
  ENOTDIR: 'part of the path is not a directory',
  EACCES: 'permission denied',
  ELOOP: 'its links lead in a circle',
};

function causeOf(error: unknown): string {
  return CAUSES[errnoOf(error) ?? ''] ?? printable(String(error));
}
