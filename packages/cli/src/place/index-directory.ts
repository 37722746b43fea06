import { lstatSync } from 'node:fs';
import { Failure } from '../errors/failure.ts';

/** Refuses an index directory that is something else; whether one may be missing is for the caller to judge. */
export function refuseOddIndexDirectory(indexDir: string): 'directory' | 'missing' {
  const stats = lstatSync(indexDir, { throwIfNoEntry: false });
  if (stats === undefined) return 'missing';
  if (stats.isDirectory()) return 'directory';
  const found = stats.isSymbolicLink() ? 'a symbolic link' : stats.isFile() ? 'a file' : 'something else';
  throw new Failure('invalid_arguments', `expected a directory at ${indexDir}, found ${found}`, {
    hint: 'remove it, or name another place with --output, WOODS_OUTPUT or "output" in woods.json',
  });
}
