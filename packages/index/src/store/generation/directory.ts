import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { atomicWrite, errnoOf, printable, UsageError } from '@woods/protocol';
import { messageOf } from '../../errors.ts';
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from './files.ts';
import { PAYLOADS } from './layout.ts';

/** Git looks into every directory of a work tree; this keeps the index out of `git status` wherever it is put. */
const IGNORE_EVERYTHING = '*\n';
/** What Woods leaves in an index directory; one of them is enough to know it again. */
const OURS = /^(?:generation\.json|payloads|extraction\.lock.*|watch_.*|records|merge)$/;
/** Hidden files, such as `.gitkeep`, and what a file system puts into its root say nothing about whose it is. */
const UNSUSPICIOUS = /^(?:\..*|lost\+found)$/;

/**
 * Makes sure that the index directory is there. Throws UsageError when something else is in its place or it cannot be
 * made.
 */
export function ensureIndexDirectory(indexDir: string): void {
  const found = statOf(indexDir);
  if (found === null) create(indexDir);
  else refuseOther(indexDir, found);
  const ignoreFile = join(indexDir, '.gitignore');
  if (existsSync(ignoreFile)) return;
  const inside = attempt(indexDir, () => readdirSync(indexDir));
  if (inside.length > 0) {
    // An ignore file would hide from git what is not ours.
    refuseForeign(indexDir, inside);
    return;
  }
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

/** Pruning and `woods clean` remove by name: in a directory of somebody else they could meet a file of his. */
function refuseForeign(indexDir: string, inside: readonly string[]): void {
  if (inside.some((name) => OURS.test(name))) return;
  const foreign = inside.filter((name) => !UNSUSPICIOUS.test(name)).sort();
  if (foreign.length === 0) return;
  const shown = foreign.slice(0, 3).map(printable).join(', ');
  throw new UsageError(
    `the index directory ${indexDir} must be empty or one that Woods made, but it holds ${shown}${foreign.length > 3 ? ' …' : ''}; choose another with --output`,
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
