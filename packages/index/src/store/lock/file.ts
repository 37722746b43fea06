/** The lock file itself: taken with its content and its flock in one step, looked at, and retired. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { flock, flockSupport } from '@woods/posix';
import { UsageError } from '@woods/protocol';
import { errnoOf } from '../../errors.ts';
import { PRIVATE_FILE } from '../generation/files.ts';
import { decodeLock, encodeLock, type HeldFlock, LOCK_MAX_BYTES, type LockRecord } from './record.ts';

const NAME = 'extraction.lock';
/** Locks that are being made, and ones that were taken from a dead holder. */
const SIDE_NAME = /^extraction\.lock\.[0-9a-f]{16}\.(new|retired)$/;
/** File systems without second names; the lock is then created in place. */
const UNLINKABLE = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

export function lockPath(indexDir: string): string {
  return join(indexDir, NAME);
}

function sidePath(indexDir: string, kind: 'new' | 'retired'): string {
  return `${lockPath(indexDir)}.${randomBytes(8).toString('hex')}.${kind}`;
}

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

function linkTo(side: string, path: string): boolean {
  try {
    linkSync(side, path);
    return true;
  } catch (error) {
    // ENOENT: another writer swept our side file before it was locked; the caller tries again.
    if (errnoOf(error) === 'EEXIST' || errnoOf(error) === 'ENOENT') return false;
    throw error;
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

/** Whether `path` is a name of the open file. */
export function names(path: string, fd: number): boolean {
  const there = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  const here = fstatSync(fd, { bigint: true });
  return there !== undefined && there.ino === here.ino && there.dev === here.dev;
}

/** Removes what killed writers left under side names; those of living ones are flocked. */
export function sweepSideFiles(indexDir: string): void {
  if (!flockSupport().ok) return;
  for (const name of readdirSync(indexDir)) {
    if (SIDE_NAME.test(name)) removeUnlessFlocked(join(indexDir, name));
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

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

export function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}
