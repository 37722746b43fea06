/** `watch_claim.json`, encoded and decoded. Device and inode may exceed 2^53, so their digits never pass through a number. */
import { parseObject } from '@woods/protocol';

export interface Claim {
  readonly pid: number;
  readonly host: string;
  /** 64 hex digits. */
  readonly token: string;
  /** Identity of the lease file that the owner keeps locked; null in a claim without a lease. */
  readonly lease: LeaseIdentity | null;
}

export interface LeaseIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

export const MAX_CLAIM_BYTES = 4096;
const LEASE_VERSION = 1;

export function encodeClaim(claim: Claim & { readonly lease: LeaseIdentity }): string {
  const { pid, host, token, lease } = claim;
  const named = JSON.stringify({ pid, host, token, lease_version: LEASE_VERSION }).slice(0, -1);
  return `${named},"lease_device":${lease.device},"lease_inode":${lease.inode}}\n`;
}

/** Null when it is not a claim. Unknown fields are allowed; an unknown lease version counts as no lease. */
export function decodeClaim(text: string): Claim | null {
  const value = parseObject(text);
  if (value === null) return null;
  const { pid, host, token, lease_version: version } = value;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return null;
  if (typeof host !== 'string' || host === '') return null;
  if (typeof token !== 'string' || !/^[0-9a-f]{64}$/.test(token)) return null;
  const device = digitsOf(text, 'lease_device');
  const inode = digitsOf(text, 'lease_inode');
  const lease = version === LEASE_VERSION && device !== null && inode !== null ? { device, inode } : null;
  return { pid, host, token, lease };
}

function digitsOf(text: string, field: string): bigint | null {
  const match = new RegExp(`"${field}"\\s*:\\s*(\\d{1,20})\\s*[,}]`).exec(text);
  return match?.[1] === undefined ? null : BigInt(match[1]);
}
