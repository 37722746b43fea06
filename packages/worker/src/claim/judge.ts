/** Whether a claim's owner lives. Pure; what the disk and the kernel said comes in as facts. */
import type { Claim, LeaseIdentity } from './format.ts';

export type ClaimRead =
  | { readonly kind: 'missing' }
  | { readonly kind: 'malformed'; readonly detail: string }
  | { readonly kind: 'ok'; readonly claim: Claim };

export interface ClaimFacts {
  /** What trying to lock the lease file said; `held`: by a process other than this one. */
  readonly lease: 'held' | 'free';
  readonly leaseFile: LeaseIdentity;
  /** On a local file system every process that could hold the lease is on this kernel, in whatever container. */
  readonly fileSystem: 'local' | 'network';
  readonly host: string;
  processExists(pid: number): boolean;
}

export type ClaimVerdict =
  | { readonly kind: 'none' }
  | { readonly kind: 'dead' | 'alive' | 'unproven' | 'malformed'; readonly why: string };

export function judgeClaim(read: ClaimRead, facts: ClaimFacts): ClaimVerdict {
  if (facts.lease === 'held') return { kind: 'alive', why: `${ownerOf(read)} holds the lease` };
  if (read.kind === 'missing') return { kind: 'none' };
  if (read.kind === 'malformed') {
    const kind = facts.fileSystem === 'local' ? 'malformed' : 'unproven';
    return { kind, why: `the claim cannot be read: ${read.detail}` };
  }
  const { claim } = read;
  const sameHost = claim.host === facts.host;
  if (namesLease(claim, facts.leaseFile) && (facts.fileSystem === 'local' || sameHost)) {
    return { kind: 'dead', why: `${ownerOf(read)} let go of the lease` };
  }
  if (!sameHost) return { kind: 'unproven', why: `${ownerOf(read)} cannot be looked at from here` };
  return facts.processExists(claim.pid)
    ? { kind: 'unproven', why: `${ownerOf(read)} exists, and does not hold this lease` }
    : { kind: 'dead', why: `${ownerOf(read)} does not exist any more` };
}

/**
 * A managed worker takes over only what is proven dead: its supervisor would keep starting it against a live owner.
 * A run that somebody started by hand may also replace a claim that nobody can read.
 */
export function mayTakeOver(verdict: ClaimVerdict, run: 'managed' | 'unmanaged'): boolean {
  if (verdict.kind === 'none' || verdict.kind === 'dead') return true;
  return verdict.kind === 'malformed' && run === 'unmanaged';
}

function namesLease(claim: Claim, file: LeaseIdentity): boolean {
  return claim.lease !== null && claim.lease.device === file.device && claim.lease.inode === file.inode;
}

function ownerOf(read: ClaimRead): string {
  return read.kind === 'ok' ? `process ${read.claim.pid} on ${read.claim.host}` : 'another process';
}
