import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/**
 * How long, in ms, git has been rewriting the work tree of `gitDir`, by its index.lock; null when it is not. Ages from a
 * clock that was set back count as none.
 */
export function indexLockMs(gitDir: string | null, nowMs: number): number | null {
  if (gitDir === null) return null;
  const stat = lstatSync(join(gitDir, 'index.lock'), { throwIfNoEntry: false });
  return stat === undefined ? null : Math.max(0, nowMs - stat.mtimeMs);
}
