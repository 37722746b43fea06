/** The two files beside the claim that are locked and never unlinked. */
import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { flock } from '@woods/posix';
import type { LeaseIdentity } from './format.ts';

export interface LockFile {
  readonly identity: LeaseIdentity;
  /** Exclusive, without waiting. */
  lock(): boolean;
  /** Lets go of the lock, if it was held. */
  close(): void;
}

/** Creates it when it is missing. Throws for a link, and what the file system throws. */
export function openLockFile(path: string): LockFile {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return {
    identity: { device: dev, inode: ino },
    lock: () => flock(fd, 'exclusive'),
    close: () => closeSync(fd),
  };
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
