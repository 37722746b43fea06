import { type Dirent, readdirSync } from 'node:fs';
import { nativePath } from '../bytes/path.ts';
import { errorCode } from './stamp.ts';

/** `unknown`: the file system does not tell with the name, so it takes a stat. */
type ListedKind = 'dir' | 'file' | 'link' | 'other' | 'unknown';

export interface Listed {
  /** Byte path of one name. */
  readonly name: string;
  readonly kind: ListedKind;
}

export type Listing = { readonly entries: readonly Listed[] } | { readonly error: string };

/** Lists a directory (absolute byte path) with the kinds as the directory itself records them. */
export function listDirectory(absolute: string): Listing {
  const path = nativePath(absolute);
  try {
    const entries = readdirSync(path, { withFileTypes: true, encoding: 'latin1' });
    return { entries: entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) })) };
  } catch (error) {
    // Node joins path and name to stat an entry without a recorded kind, and cannot join a Buffer with a string.
    if (errorCode(error) !== 'ERR_INVALID_ARG_TYPE') return { error: errorCode(error) };
  }
  try {
    const names = readdirSync(path, { encoding: 'latin1' });
    return { entries: names.map((name) => ({ name, kind: 'unknown' as const })) };
  } catch (error) {
    return { error: errorCode(error) };
  }
}

function kindOf(entry: Dirent): ListedKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'dir';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
