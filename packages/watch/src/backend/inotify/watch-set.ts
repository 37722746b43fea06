/** Which directories are watched, by number and by path. A directory keeps its number when it is renamed. */
import type { Inotify } from '@woods/posix';
import { isAtOrBelow } from '../../bytes/path.ts';

/** Root-relative byte paths. */
export interface WatchSet {
  /**
   * Watches a directory. One that is gone, or may not be read, is left: its parent tells when that changes.
   * @throws WatchLimit
   */
  arm(path: string): void;
  /** Takes the watches of a directory and of all below it away. */
  drop(path: string): void;
  /** Takes those away that were not armed since the last call. */
  dropStale(): void;
  pathOf(watch: number): string | undefined;
  has(path: string): boolean;
  /** The kernel has taken this watch away. */
  forget(watch: number): void;
  size(): number;
}

/** The user may not watch as many directories as the tree has. */
export class WatchLimit extends Error {
  override readonly name = 'WatchLimit';
}

export function openWatchSet(inotify: Pick<Inotify, 'watch' | 'unwatch'>, rootPath: string): WatchSet {
  const byWatch = new Map<number, string>();
  const byPath = new Map<string, number>();
  let armed = new Set<number>();

  function remove(path: string, watch: number): void {
    inotify.unwatch(watch);
    byPath.delete(path);
    if (byWatch.get(watch) === path) byWatch.delete(watch);
  }

  return {
    arm(path) {
      // The root may have been replaced by a link, which below it would be a file.
      const result = inotify.watch(path === '' ? `${rootPath}/.` : `${rootPath}/${path}`);
      if ('error' in result) {
        if (result.error === 'ENOSPC') throw new WatchLimit(`${byPath.size} directories are watched`);
        return;
      }
      const { watch } = result;
      const before = byWatch.get(watch);
      // The same directory under a new name: what was known of the old one is what has become wrong.
      if (before !== undefined && before !== path && byPath.get(before) === watch) byPath.delete(before);
      const other = byPath.get(path);
      if (other !== undefined && other !== watch) remove(path, other);
      byWatch.set(watch, path);
      byPath.set(path, watch);
      armed.add(watch);
    },
    drop(path) {
      for (const [known, watch] of byPath) if (isAtOrBelow(known, path)) remove(known, watch);
    },
    dropStale() {
      for (const [path, watch] of byPath) if (!armed.has(watch)) remove(path, watch);
      armed = new Set();
    },
    pathOf: (watch) => byWatch.get(watch),
    has: (path) => byPath.has(path),
    forget(watch) {
      const path = byWatch.get(watch);
      byWatch.delete(watch);
      if (path !== undefined && byPath.get(path) === watch) byPath.delete(path);
    },
    size: () => byPath.size,
  };
}
