/** The right to write an index: one process at a time, and a dead one never for long. */
import { closeSync, futimesSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { newToken, probeProcess, selfIdentity } from '@woods/protocol';
import { IndexError } from '../../errors.ts';
import { ensureIndexDirectory } from '../generation/directory.ts';
import { type FoundLock, openLock, retireLock, sweepSideFiles } from './found.ts';
import { lockPath, names, removeIfThere } from './names.ts';
import { isStale, type LockRecord } from './record.ts';
import { takeLock } from './take.ts';

export interface WriterLock {
  readonly token: string;
  /** Says that the holder still works; at least every few minutes. Throws IndexError `locked` when the lock was lost. */
  touch(): void;
  /** Gives the lock back if it is still ours. A second call does nothing. */
  release(): void;
}

/** Who has the lock, as far as it says. */
export type LockHolder = Pick<LockRecord, 'name' | 'pid' | 'host' | 'lockedAt'>;

export class LockBusy extends IndexError {
  override readonly name = 'LockBusy';
  /** Null when the lock says nothing that can be read. */
  readonly holder: LockHolder | null;

  constructor(indexDir: string, holder: LockHolder | null) {
    const who =
      holder === null
        ? 'a writer that does not say who it is'
        : `${holder.name} (pid ${holder.pid}${holder.host === null ? '' : ` on ${holder.host}`}, since ${holder.lockedAt})`;
    super('locked', `the index ${indexDir} is being written by ${who}; wait for it, or stop it`);
    this.holder = holder;
  }
}

export interface LockRequest {
  /** What the holder does, for others to read: `woods extract`. */
  readonly name: string;
  /** 0: one try. */
  readonly waitMs: number;
  /** Called once, when the first try found the lock held. */
  readonly onWait?: (holder: LockHolder | null) => void;
  readonly signal?: AbortSignal;
}

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;

/**
 * Waits for the writer lock up to `waitMs`. Throws LockBusy when another has it all that time, UsageError when the
 * index directory or the lock is not what it should be, AbortError when `signal` fires.
 */
export async function acquireWriterLock(indexDir: string, request: LockRequest): Promise<WriterLock> {
  ensureIndexDirectory(indexDir);
  const deadline = performance.now() + request.waitMs;
  let pause = FIRST_PAUSE_MS;
  let told = false;
  for (;;) {
    request.signal?.throwIfAborted();
    const record = recordOfSelf(request.name);
    const fd = takeLock(indexDir, record);
    if (fd !== null) {
      sweepSideFiles(indexDir);
      return heldLock(indexDir, record.token, fd);
    }
    const obstacle = clearStale(indexDir);
    if (obstacle === 'cleared') continue;
    const left = deadline - performance.now();
    if (left <= 0) throw new LockBusy(indexDir, obstacle.holder);
    if (!told) request.onWait?.(obstacle.holder);
    told = true;
    await setTimeout(Math.min(pause, left), undefined, request.signal === undefined ? {} : { signal: request.signal });
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

function recordOfSelf(name: string): LockRecord {
  const { pid, start, host } = selfIdentity();
  return { pid, lockedAt: new Date().toISOString(), name, token: newToken(), host, pidStarted: start };
}

/** Retires a lock that outlived its holder; otherwise says who has it. */
function clearStale(indexDir: string): 'cleared' | { holder: LockHolder | null } {
  const found: FoundLock | null = openLock(indexDir, Date.now());
  if (found === null) return 'cleared';
  try {
    if (!isStale(found, { host: selfIdentity().host, probe: probeProcess })) return { holder: found.record };
    retireLock(indexDir, found);
    return 'cleared';
  } finally {
    closeSync(found.fd);
  }
}

function heldLock(indexDir: string, token: string, fd: number): WriterLock {
  const path = lockPath(indexDir);
  let state: 'held' | 'released' = 'held';
  return {
    token,
    touch: () => {
      if (state === 'released' || !names(path, fd)) {
        throw new IndexError('locked', `the writer lock ${path} was lost: another writer took it over; run again`);
      }
      const now = Date.now() / 1000;
      futimesSync(fd, now, now);
    },
    release: () => {
      if (state === 'released') return;
      state = 'released';
      // The file that we flocked carries our token and no other, so its inode is as good as a look at the token.
      if (names(path, fd)) removeIfThere(path);
      closeSync(fd);
    },
  };
}
