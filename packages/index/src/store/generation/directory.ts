import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { atomicWrite, UsageError } from '@woods/protocol';
import { errnoOf, messageOf } from '../../errors.ts';
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from './files.ts';
import { PAYLOADS } from './layout.ts';

/** Git looks into every directory of a work tree; this keeps the index out of `git status` wherever it is put. */
const IGNORE_EVERYTHING = '*\n';

/**
 * Makes sure that the index directory is there. Throws UsageError when something else is in its place or it cannot be
 * made.
 */
export function ensureIndexDirectory(indexDir: string): void {
  const found = statOf(indexDir);
  if (found === null) create(indexDir);
  else refuseOther(indexDir, found);
  const ignoreFile = join(indexDir, '.gitignore');
  // A directory with other contents may be the user's own: an ignore file would hide them from git.
  if (existsSync(ignoreFile) || (found !== null && readdirSync(indexDir).length > 0)) return;
  attempt(indexDir, () => atomicWrite(ignoreFile, IGNORE_EVERYTHING, { mode: PRIVATE_FILE }));
}

/** Makes sure of `payloads` below it. Throws UsageError when it is something else, the system's error when it cannot be made. */
export function ensurePayloadsDirectory(indexDir: string): void {
  const payloads = join(indexDir, PAYLOADS);
  const found = lstatSync(payloads, { throwIfNoEntry: false });
  if (found === undefined) mkdirSync(payloads, { recursive: true, mode: PRIVATE_DIRECTORY });
  else if (!found.isDirectory()) {
    throw new UsageError(`${payloads} must be a directory, but it is ${kindOf(found)}; remove it`);
  }
}

function statOf(indexDir: string): Stats | null {
  return attempt(indexDir, () => lstatSync(indexDir, { throwIfNoEntry: false }) ?? null);
}

function create(indexDir: string): void {
  attempt(indexDir, () => {
    mkdirSync(dirname(indexDir), { recursive: true });
    mkdirSync(indexDir, { recursive: true });
    // Whatever the umask: status files in it are for every user of the machine.
    chmodSync(indexDir, 0o755);
  });
}

function refuseOther(indexDir: string, found: Stats): void {
  if (found.isDirectory()) return;
  throw new UsageError(
    `the index directory ${indexDir} must be a directory, but it is ${kindOf(found)}; remove it or choose another with --output`,
  );
}

function kindOf(found: Stats): string {
  return found.isSymbolicLink() ? 'a symbolic link' : found.isFile() ? 'a file' : 'neither file nor directory';
}

function attempt<T>(indexDir: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const why = errnoOf(error) === 'ENOTDIR' ? 'a part of the path is a file' : messageOf(error);
    throw new UsageError(`the index directory ${indexDir} cannot be made: ${why}; choose another with --output`);
  }
}
