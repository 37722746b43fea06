/** Taking the lock: file, content and flock in one step. */
import { closeSync, constants, lstatSync, openSync, writeSync } from 'node:fs';
import { flock, flockSupport } from '@woods/posix';
import { errnoOf } from '@woods/protocol';
import { PRIVATE_FILE } from '../generation/files.ts';
import { linkTo, lockPath, names, removeIfThere, sidePath } from './names.ts';
import { encodeLock, type LockRecord } from './record.ts';

/** File systems without second names; the lock is then created in place. */
const UNLINKABLE = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Takes the lock if nobody has it: a descriptor that holds its flock, or null. The file is written and locked under
 * another name first and then gets its own by a link, which fails as O_EXCL does when there is one: a lock without
 * content or flock cannot be seen, however its maker is killed.
 */
export function takeLock(indexDir: string, record: LockRecord): number | null {
  const path = lockPath(indexDir);
  if (isThere(path)) return null;
  const side = sidePath(indexDir, 'new');
  const fd = createLocked(side, record);
  if (fd === null) return null;
  try {
    if (linkTo(side, path)) return fd;
    closeSync(fd);
    return null;
  } catch (error) {
    closeSync(fd);
    if (UNLINKABLE.has(errnoOf(error) ?? '')) return createInPlace(path, record);
    throw error;
  } finally {
    removeIfThere(side);
  }
}

function createInPlace(path: string, record: LockRecord): number | null {
  let fd: number | null;
  try {
    fd = createLocked(path, record);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return null;
    throw error;
  }
  if (fd === null || names(path, fd)) return fd;
  closeSync(fd);
  return null;
}

/** Created with O_EXCL, flocked, then written; null when a sweeping writer had its flock first and removes it. */
function createLocked(path: string, record: LockRecord): number | null {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;
  const fd = openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, PRIVATE_FILE);
  try {
    if (flockSupport().ok && !flock(fd, 'exclusive')) {
      closeSync(fd);
      removeIfThere(path);
      return null;
    }
    writeSync(fd, encodeLock(record));
    return fd;
  } catch (error) {
    closeSync(fd);
    removeIfThere(path);
    throw error;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
