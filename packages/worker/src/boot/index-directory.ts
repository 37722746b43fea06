/** The index directory, made or found usable, before anything is written into it. */
import { accessSync, constants, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@woods/protocol';

/** Creates it, with a `.gitignore` that hides it from git, when it is missing. Throws UsageError when it cannot be used. */
export function prepareIndexDirectory(indexDir: string): void {
  try {
    const found = lstatSync(indexDir, { throwIfNoEntry: false });
    if (found?.isSymbolicLink())
      throw unusable(indexDir, 'found a symbolic link; remove it, or name its target with --output');
    if (found !== undefined && !found.isDirectory())
      throw unusable(indexDir, 'found a file; remove it, or choose another with --output');
    mkdirSync(indexDir, { recursive: true, mode: 0o755 });
    accessSync(indexDir, constants.R_OK | constants.W_OK | constants.X_OK);
    ignoreItself(join(indexDir, '.gitignore'));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw unusable(indexDir, `${causeOf(error)}; make it writable for this user, or choose another with --output`);
  }
}

function ignoreItself(path: string): void {
  try {
    writeFileSync(path, '*\n', { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function unusable(indexDir: string, what: string): UsageError {
  return new UsageError(`the index directory ${indexDir} must be a directory that this user can write to; ${what}`);
}

function causeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'a part of the path is a file';
  return error instanceof Error ? error.message : String(error);
}
