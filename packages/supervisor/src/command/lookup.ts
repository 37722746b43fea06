import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { UsageError } from '@woods/protocol';

/** A command that was found: the file to execute, the name it was asked for by, and its arguments. */
export interface Command {
  readonly file: string;
  readonly name: string;
  readonly args: readonly string[];
}

/** What execvp uses when PATH is not set. */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

type Found = 'executable' | 'not_executable' | 'missing';

/**
 * Finds the command as execvp would, before anything is started. A name with a slash, and relative or empty entries of
 * `path`, are taken against `root`, because that is where the child will run. Throws UsageError naming the command.
 */
export function lookupCommand(input: {
  argv: readonly [string, ...string[]];
  root: string;
  path: string | undefined;
}): Command {
  const [name, ...args] = input.argv;
  if (name === '') throw new UsageError('the command after -- is empty; give a program to run');
  const candidates = name.includes('/') ? [resolve(input.root, name)] : searchPath(name, input.path, input.root);
  let blocked: string | null = null;
  for (const file of candidates) {
    const found = look(file);
    if (found === 'executable') return { file, name, args };
    if (found === 'not_executable') blocked ??= file;
  }
  if (blocked !== null) {
    throw new UsageError(`${name} cannot be executed: ${blocked} is not an executable file; check its type and mode`);
  }
  const where = name.includes('/') ? `there is no ${candidates[0]}` : 'it is in no directory of PATH';
  throw new UsageError(`${name} was not found: ${where}; check the spelling, or give its path after --`);
}

function searchPath(name: string, path: string | undefined, root: string): string[] {
  return (path ?? DEFAULT_PATH).split(delimiter).map((entry) => resolve(root, entry, name));
}

function look(file: string): Found {
  try {
    if (!statSync(file).isFile()) return 'not_executable';
  } catch {
    return 'missing';
  }
  try {
    accessSync(file, constants.X_OK);
    return 'executable';
  } catch {
    return 'not_executable';
  }
}
