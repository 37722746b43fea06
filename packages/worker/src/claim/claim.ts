/**
 * One worker an index. The claim says who; the lease, a lock that the kernel frees with its holder, proves that it lives.
 * Both change only under a third file's lock, so that two starters never judge the same old claim at once.
 */
import { randomBytes } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { atomicWrite, boundedRead, probeProcess, type selfIdentity } from '@woods/protocol';
import { fileSystemOf } from '@woods/watch';
import { decodeClaim, encodeClaim, MAX_CLAIM_BYTES } from './format.ts';
import { type ClaimRead, judgeClaim, mayTakeOver } from './judge.ts';
import { type LockFile, lockWithin, openLockFile, stillNames } from './lock-file.ts';

export interface HeldClaim {
  /** False once the claim was removed or replaced, with the index directory or alone. */
  owned(): boolean;
  /** Removes the claim, and lets go of the lease. Never throws: what stays behind is proven dead by the free lease. A second call does nothing. */
  release(): void;
}

export type ClaimAttempt =
  | { readonly kind: 'held'; readonly claim: HeldClaim; readonly took: string | null }
  | {
      readonly kind: 'refused';
      readonly why: string;
      /** Of a claim whose owner nobody can prove alive or dead: what `recoverClaim` takes. Else null. */
      readonly token: string | null;
      /** The claim's path when its content names nobody; null when it does, or when the lease is held. */
      readonly unreadable: string | null;
    };

export type Recovery =
  | { readonly kind: 'recovered'; readonly owner: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly why: string };

export interface ClaimRequest {
  readonly indexDir: string;
  readonly run: 'managed' | 'unmanaged';
  readonly self: ReturnType<typeof selfIdentity>;
}

const NAME = 'watch_claim.json';

/** Another starter holds the lock for the few milliseconds of one decision. */
const LOCK_WAIT_MS = 2000;
const STARTING = 'another worker is just starting';

/** Throws PosixUnavailable where there is no flock, and what the file system throws. */
export async function acquireClaim(request: ClaimRequest): Promise<ClaimAttempt> {
  const path = join(request.indexDir, NAME);
  const guard = openLockFile(`${path}.lock`);
  try {
    if (!(await lockWithin(guard, LOCK_WAIT_MS))) {
      return { kind: 'refused', why: STARTING, token: null, unreadable: null };
    }
    return decide(path, request);
  } finally {
    guard.close();
  }
}

function decide(path: string, { indexDir, run, self }: ClaimRequest): ClaimAttempt {
  const lease = openLockFile(`${path}.lease`);
  let taken = false;
  try {
    const read = readClaim(path);
    const verdict = judgeClaim(read, {
      lease: lease.lock() ? 'free' : 'held',
      leaseFile: lease.identity,
      fileSystem: fileSystemOf(indexDir).kind === 'local' ? 'local' : 'network',
      host: self.host,
      processExists: (pid) => probeProcess(pid) !== null,
    });
    const why = verdict.kind === 'none' ? null : verdict.why;
    if (!mayTakeOver(verdict, run)) {
      const token = verdict.kind === 'unproven' && read.kind === 'ok' ? read.claim.token : null;
      const unreadable = verdict.kind !== 'alive' && read.kind === 'malformed' ? path : null;
      return { kind: 'refused', why: why ?? 'the index is claimed', token, unreadable };
    }
    const token = randomBytes(32).toString('hex');
    atomicWrite(path, encodeClaim({ pid: self.pid, host: self.host, token, lease: lease.identity }), { mode: 0o600 });
    taken = true;
    return { kind: 'held', claim: holdClaim(path, token, lease), took: why };
  } finally {
    if (!taken) lease.close();
  }
}

/**
 * Removes the claim with exactly this token, for a person who knows that its owner is gone where nothing can prove it:
 * another host, a lease that was copied. Refuses while the lease is held: whoever holds it lives. Throws PosixUnavailable,
 * and what the file system throws.
 */
export async function recoverClaim(indexDir: string, token: string): Promise<Recovery> {
  const path = join(indexDir, NAME);
  const guard = openLockFile(`${path}.lock`);
  const lease = openLockFile(`${path}.lease`);
  try {
    if (!(await lockWithin(guard, LOCK_WAIT_MS))) return { kind: 'refused', why: STARTING };
    if (!lease.lock()) return { kind: 'refused', why: 'its worker holds the lease, so it lives' };
    const read = readClaim(path);
    if (read.kind === 'missing') return { kind: 'nothing' };
    if (read.kind === 'malformed') return { kind: 'refused', why: `the claim cannot be read: ${read.detail}` };
    const { claim } = read;
    if (claim.token !== token)
      return { kind: 'refused', why: `the claim of process ${claim.pid} on ${claim.host} has another token` };
    unlinkSync(path);
    return { kind: 'recovered', owner: `process ${claim.pid} on ${claim.host}` };
  } finally {
    lease.close();
    guard.close();
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
