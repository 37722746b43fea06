import { lstatSync, opendirSync } from 'node:fs';

/** Names looked at in a directory that anybody may have filled. */
const MAX_NAMES = 256;

export type DirectoryNames =
  | { readonly kind: 'ok'; readonly names: readonly string[]; readonly truncated: boolean }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly detail: string };

/** At most 256 names of `directory`, which may not be a link. Throws the system's error when it cannot be read. */
export function listBounded(directory: string): DirectoryNames {
  const stats = lstatSync(directory, { throwIfNoEntry: false });
  if (stats === undefined) return { kind: 'missing' };
  if (!stats.isDirectory()) {
    const found = stats.isSymbolicLink() ? 'a symbolic link' : 'something else';
    return { kind: 'refused', detail: `expected watch_supervisors to be a directory, found ${found}` };
  }
  const handle = opendirSync(directory);
  try {
    const names: string[] = [];
    for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
      if (names.length === MAX_NAMES) return { kind: 'ok', names, truncated: true };
      names.push(entry.name);
    }
    return { kind: 'ok', names, truncated: false };
  } finally {
    handle.closeSync();
  }
}
