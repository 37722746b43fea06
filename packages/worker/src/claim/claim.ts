/**
 * One worker an index. The claim says who; the lease, a lock that the kernel frees with its holder, proves that it lives.
 * Both change only under a third file's lock, so that two starters never judge the same old claim at once.
 */
import { randomBytes } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { atomicWrite, boundedRead, probeProcess, type selfIdentity } from '@woods/protocol';
import { decodeClaim, encodeClaim, MAX_CLAIM_BYTES } from './format.ts';
import { type ClaimRead, judgeClaim, mayTakeOver } from './judge.ts';
import { fileSystemOf } from './local.ts';
import { type LockFile, lockWithin, openLockFile, stillNames } from './lock-file.ts';

export interface HeldClaim {
  /** False once the claim was removed or replaced, with the index directory or alone. */
  owned(): boolean;
  /** Removes the claim, and lets go of the lease. Never throws: what stays behind is proven dead by the free lease. A second call does nothing. */
  release(): void;
}

export type ClaimAttempt =
  | { readonly kind: 'held'; readonly claim: HeldClaim; readonly took: string | null }
  | { readonly kind: 'refused'; readonly why: string };

export interface ClaimRequest {
  readonly indexDir: string;
  readonly run: 'managed' | 'unmanaged';
  readonly self: ReturnType<typeof selfIdentity>;
}

const NAME = 'watch_claim.json';
/** Another starter holds the lock for the few milliseconds of one decision. */
const LOCK_WAIT_MS = 2000;

/** Throws PosixUnavailable where there is no flock, and what the file system throws. */
export async function acquireClaim(request: ClaimRequest): Promise<ClaimAttempt> {
  const path = join(request.indexDir, NAME);
  const guard = openLockFile(`${path}.lock`);
  try {
    if (!(await lockWithin(guard, LOCK_WAIT_MS))) return { kind: 'refused', why: 'another worker is just starting' };
    return decide(path, request);
  } finally {
    guard.close();
  }
}

function decide(path: string, { indexDir, run, self }: ClaimRequest): ClaimAttempt {
  const lease = openLockFile(`${path}.lease`);
  let taken = false;
  try {
    const verdict = judgeClaim(readClaim(path), {
      lease: lease.lock() ? 'free' : 'held',
      leaseFile: lease.identity,
      fileSystem: fileSystemOf(indexDir),
      host: self.host,
      processExists: (pid) => probeProcess(pid) !== null,
    });
    const why = verdict.kind === 'none' ? null : verdict.why;
    if (!mayTakeOver(verdict, run)) return { kind: 'refused', why: why ?? 'the index is claimed' };
    const token = randomBytes(32).toString('hex');
    atomicWrite(path, encodeClaim({ pid: self.pid, host: self.host, token, lease: lease.identity }), { mode: 0o600 });
    taken = true;
    return { kind: 'held', claim: holdClaim(path, token, lease), took: why };
  } finally {
    if (!taken) lease.close();
  }
}

function holdClaim(path: string, token: string, lease: LockFile): HeldClaim {
  const owned = (): boolean => {
    const read = readClaim(path);
    return read.kind === 'ok' && read.claim.token === token && stillNames(`${path}.lease`, lease.identity);
  };
  let released = false;
  return {
    owned,
    release: () => {
      if (released) return;
      released = true;
      retireClaim(path, owned);
      lease.close();
    },
  };
}

function retireClaim(path: string, owned: () => boolean): void {
  try {
    const guard = openLockFile(`${path}.lock`);
    try {
      if (guard.lock() && owned()) unlinkSync(path);
    } finally {
      guard.close();
    }
  } catch {
    // the index directory is gone or read-only by now; the lease ends with us in any case
  }
}

function readClaim(path: string): ClaimRead {
  const read = boundedRead(path, MAX_CLAIM_BYTES);
  if (!read.ok) return read.reason === 'missing' ? { kind: 'missing' } : { kind: 'malformed', detail: read.detail };
  const claim = decodeClaim(read.text);
  return claim === null ? { kind: 'malformed', detail: 'it is not what a worker writes' } : { kind: 'ok', claim };
}
