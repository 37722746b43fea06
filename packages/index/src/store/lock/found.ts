/** A lock that another writer holds or has left: looked at, retired, swept. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { flock, flockSupport } from '@woods/posix';
import { errnoOf, UsageError } from '@woods/protocol';
import { isSideName, linkTo, lockPath, names, removeIfThere, sidePath } from './names.ts';
import { decodeLock, type HeldFlock, LOCK_MAX_BYTES, type LockRecord } from './record.ts';

export interface FoundLock {
  /** Holds the lock's flock where `flock` is `free`, so that nobody else judges it meanwhile. */
  readonly fd: number;
  readonly record: LockRecord | null;
  readonly ageMs: number;
  readonly flock: HeldFlock;
}

/** The lock as it stands, to be closed by the caller; null when it is gone. Throws UsageError when it is no file. */
export function openLock(indexDir: string, now: number): FoundLock | null {
  const path = lockPath(indexDir);
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    if (errnoOf(error) === 'ELOOP')
      throw new UsageError(`${path} must be a file, but it is a symbolic link; remove it`);
    throw error;
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new UsageError(`${path} must be a file, but it is something else; remove it`);
    const support = flockSupport().ok;
    const flockState = !support ? 'unknown' : flock(fd, 'exclusive') ? 'free' : 'held';
    // Only now: a lock that was retired or released since the open is not the one that stands.
    if (!names(path, fd)) {
      closeSync(fd);
      return null;
    }
    return { fd, record: decodeLock(readText(fd)), ageMs: now - stats.mtimeMs, flock: flockState };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * Takes a stale lock away by renaming it. When the file that was renamed proves to be another than the one judged, its
 * name is given back.
 */
export function retireLock(indexDir: string, judged: FoundLock): void {
  const path = lockPath(indexDir);
  const retired = sidePath(indexDir, 'retired');
  try {
    renameSync(path, retired);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw error;
  }
  if (!names(retired, judged.fd)) linkTo(retired, path);
  removeIfThere(retired);
}

/** Removes what killed writers left under side names; those of living ones are flocked. */
export function sweepSideFiles(indexDir: string): void {
  if (!flockSupport().ok) return;
  for (const name of readdirSync(indexDir)) {
    if (isSideName(name)) removeUnlessFlocked(join(indexDir, name));
  }
}

function removeUnlessFlocked(path: string): void {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return;
  }
  try {
    if (flock(fd, 'exclusive')) removeIfThere(path);
  } finally {
    closeSync(fd);
  }
}

function readText(fd: number): string {
  const buffer = Buffer.alloc(LOCK_MAX_BYTES);
  return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, 0));
}
