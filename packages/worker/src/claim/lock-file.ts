/** The two files beside the claim that are locked and never unlinked. */
import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { flock } from '@woods/posix';
import { errnoOf, UsageError } from '@woods/protocol';
import type { LeaseIdentity } from './format.ts';

export interface LockFile {
  readonly identity: LeaseIdentity;
  /** Exclusive, without waiting. */
  lock(): boolean;
  /** Lets go of the lock, if it was held. */
  close(): void;
}

/** Creates it when it is missing. Throws UsageError for anything but a file, and what the file system throws. */
export function openLockFile(path: string): LockFile {
  const fd = openFile(path);
  const stats = fstatSync(fd, { bigint: true });
  if (!stats.isFile()) {
    closeSync(fd);
    throw notAFile(path, 'something else');
  }
  const { dev, ino } = stats;
  return {
    identity: { device: dev, inode: ino },
    lock: () => flock(fd, 'exclusive'),
    close: () => closeSync(fd),
  };
}

function openFile(path: string): number {
  const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    return openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EISDIR') throw notAFile(path, 'a directory');
    if (code === 'ELOOP') throw notAFile(path, 'a symbolic link');
    throw error;
  }
}

function notAFile(path: string, found: string): UsageError {
  return new UsageError(`${path} must be a file, but it is ${found}; remove it`);
}

/** Whether `path` still names the file that was opened as `identity`. */
export function stillNames(path: string, identity: LeaseIdentity): boolean {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat !== undefined && stat.dev === identity.device && stat.ino === identity.inode;
}

/** Tries every few milliseconds for at most `waitMs`; false when the lock stayed held elsewhere. */
export async function lockWithin(file: LockFile, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  while (!file.lock()) {
    if (performance.now() >= deadline) return false;
    await after(5);
  }
  return true;
}
