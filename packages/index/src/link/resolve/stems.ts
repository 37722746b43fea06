import { posix } from 'node:path';

const EXTENSION = /\.(?:d|[cm]?[jt]sx?|json)$/;

/** Stands for a specifier that any path could satisfy. */
export const ANY_STEM = '*';

/**
 * The last segment of a path without the extensions that a specifier may leave out, in lower case (some disks do not
 * tell case). A path can satisfy a specifier only if the specifier's stem is the path's, or one of its directories.
 */
export function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.replace(EXTENSION, '').replace(EXTENSION, '').toLowerCase();
}

/** Everything that a path that appears or goes may be the answer to. */
export function stemsOfPath(path: string): Set<string> {
  const directories = posix.dirname(path).split('/');
  return new Set([
    ANY_STEM,
    '.',
    stemOf(path),
    ...directories.map((directory) => directory.toLowerCase()),
    ...directories.map(stemOf),
  ]);
}
