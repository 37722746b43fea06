import { lstatSync, type Stats } from 'node:fs';
import { errnoOf } from '@woods/protocol';
import { Failure } from '../errors/failure.ts';

export const ODD_DIRECTORY_HINT =
  'remove it, or name another place with --output, WOODS_OUTPUT or "output" in woods.json';

/** What stands at the index directory's path. */
export type IndexDirectory =
  | { readonly kind: 'directory' | 'missing' }
  | { readonly kind: 'odd'; readonly fault: string };

/** Never throws for what stands there, only for what the system refuses. */
export function lookAtIndexDirectory(indexDir: string): IndexDirectory {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(indexDir, { throwIfNoEntry: false });
  } catch (error) {
    if (errnoOf(error) !== 'ENOTDIR') throw error;
    return {
      kind: 'odd',
      fault: `expected a directory at ${indexDir}, found a file in the place of a part of that path`,
    };
  }
  if (stats === undefined) return { kind: 'missing' };
  if (stats.isDirectory()) return { kind: 'directory' };
  const found = stats.isSymbolicLink() ? 'a symbolic link' : stats.isFile() ? 'a file' : 'something else';
  return { kind: 'odd', fault: `expected a directory at ${indexDir}, found ${found}` };
}

/** Refuses an index directory that is something else; whether one may be missing is for the caller to judge. */
export function refuseOddIndexDirectory(indexDir: string): 'directory' | 'missing' {
  const place = lookAtIndexDirectory(indexDir);
  if (place.kind !== 'odd') return place.kind;
  throw new Failure('invalid_arguments', place.fault, { hint: ODD_DIRECTORY_HINT });
}
