/** What was told since the last scan, so that a scan can say what nobody had told. */
import { parentPath } from '../../bytes/path.ts';

export interface Told {
  add(paths: Iterable<string>, dirs: Iterable<string>): void;
  /** Too much was told, or it is not known what: it explains everything. */
  all(): void;
  explains(path: string): boolean;
  clear(): void;
}

/** More would hold a second copy of a large tree's names. */
const MAX_PATHS = 100_000;

export function openTold(): Told {
  let paths = new Set<string>();
  let dirs = new Set<string>();
  let everything = false;
  return {
    add(morePaths, moreDirs) {
      if (everything) return;
      for (const path of morePaths) paths.add(path);
      for (const path of moreDirs) dirs.add(path);
      if (paths.size + dirs.size > MAX_PATHS) everything = true;
    },
    all() {
      everything = true;
    },
    explains(path) {
      if (everything || paths.has(path)) return true;
      for (let at = path; at !== ''; at = parentPath(at)) if (dirs.has(at)) return true;
      return false;
    },
    clear() {
      paths = new Set();
      dirs = new Set();
      everything = false;
    },
  };
}
