/** What a changed path asks of the worker. A table and nothing else: no disk, no state. */
import { basename, extension, isBelow } from './path.ts';
import {
  INDEXED_DATA,
  INSTALL_MARKERS,
  RESCAN_NAMES,
  RESTART_NAMES,
  RESTART_PATTERNS,
  SOURCE_EXTENSIONS,
  SPECIAL_FOLDERS,
  SPECIAL_SOURCES,
} from './tables.ts';

/**
 * - `restart`: captured when the process booted; only a new process sees the change.
 * - `reload`: a source file; its record and the links of what reads it are made anew.
 * - `reextract`: indexed, but nothing is linked through it.
 * - `rescan`: decides which files exist for us.
 * - `ignore`: none of our business.
 */
export type PathClass = 'restart' | 'reload' | 'reextract' | 'rescan' | 'ignore';

/** What the table cannot know of a tree; learned at boot. */
export interface Learned {
  /** Root-relative paths of the files that a tsconfig or jsconfig extends. */
  readonly extended: ReadonlySet<string>;
  /** The index directory, root-relative; null when it lies outside the root. */
  readonly indexDir: string | null;
}

/** `path`: root-relative, `/`-separated, the path of a file (existing or gone). */
export function classify(path: string, learned: Learned): PathClass {
  if (learned.indexDir !== null && isBelow(path, learned.indexDir)) return 'ignore';
  if (INSTALL_MARKERS.some((marker) => path === marker || path.endsWith(`/${marker}`))) return 'restart';
  if (learned.extended.has(path)) return 'restart';
  const folders = path.split('/').slice(0, -1);
  if (path === '.git/info/exclude') return 'rescan';
  if (folders.includes('.git') || folders.includes('node_modules')) return 'ignore';
  const name = basename(path);
  if (RESTART_NAMES.has(name) || RESTART_PATTERNS.some((pattern) => pattern.test(name))) return 'restart';
  if (RESCAN_NAMES.has(name)) return 'rescan';
  return classifyContent(folders, name);
}

/** `path`: root-relative, of a directory whose content changed as a whole. */
export function classifyDirectory(path: string, learned: Learned): 'reload' | 'ignore' {
  if (learned.indexDir !== null && isBelow(path, learned.indexDir)) return 'ignore';
  const folders = path.split('/');
  return folders.includes('.git') || folders.includes('node_modules') ? 'ignore' : 'reload';
}

function classifyContent(folders: readonly string[], name: string): PathClass {
  const kind = extension(name);
  if (SOURCE_EXTENSIONS.has(kind)) {
    const special = SPECIAL_SOURCES.test(name) || folders.some((folder) => SPECIAL_FOLDERS.has(folder));
    return special ? 'reextract' : 'reload';
  }
  return INDEXED_DATA.has(kind) ? 'reextract' : 'ignore';
}
