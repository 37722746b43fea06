import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeClaim, encodeClaim } from '../../packages/worker/src/claim/format.ts';
import { type ClaimFacts, type ClaimRead, judgeClaim, mayTakeOver } from '../../packages/worker/src/claim/judge.ts';

const token = 'ab'.repeat(32);
const leaseFile = { device: 2n ** 60n + 1n, inode: 2n ** 63n + 5n };
const claimOf = (host: string, lease: typeof leaseFile | null): ClaimRead => ({
  kind: 'ok',
  claim: { pid: 77, host, token, lease },
});

describe('judgeClaim', () => {
  const here = 'here';
  const other = { device: 1n, inode: 2n };
  const malformed: ClaimRead = { kind: 'malformed', detail: 'torn' };
  const missing: ClaimRead = { kind: 'missing' };
  const cases: [string, ClaimRead, Partial<ClaimFacts>, string][] = [
    ['no claim, free lease', missing, {}, 'none'],
    ['no claim, held lease: somebody removed the claim of a live worker', missing, { lease: 'held' }, 'alive'],
    ['a held lease, whatever the claim says', claimOf('there', other), { lease: 'held' }, 'alive'],
    ['a held lease and a torn claim', malformed, { lease: 'held' }, 'alive'],
    ['its lease is free, same host', claimOf(here, leaseFile), {}, 'dead'],
    ['its lease is free, replaced container', claimOf('there', leaseFile), {}, 'dead'],
    [
      'its lease is free, its pid belongs to another process by now',
      claimOf(here, leaseFile),
      { processExists: () => true },
      'dead',
    ],
    [
      'its lease is free, other host, network file system',
      claimOf('there', leaseFile),
      { fileSystem: 'network' },
      'unproven',
    ],
    ['its lease is free, same host, network file system', claimOf(here, leaseFile), { fileSystem: 'network' }, 'dead'],
    ['another lease file, no such process', claimOf(here, other), {}, 'dead'],
    ['another lease file, the process exists', claimOf(here, other), { processExists: () => true }, 'unproven'],
    ['another lease file, other host', claimOf('there', other), {}, 'unproven'],
    ['no lease, no such process', claimOf(here, null), {}, 'dead'],
    ['no lease, the process exists', claimOf(here, null), { processExists: () => true }, 'unproven'],
    ['no lease, other host', claimOf('there', null), {}, 'unproven'],
    ['torn', malformed, {}, 'malformed'],
    ['torn, network file system', malformed, { fileSystem: 'network' }, 'unproven'],
  ];
  it.each(cases)('%s', (_, read, facts, expected) => {
    const verdict = judgeClaim(read, {
      lease: 'free',
      leaseFile,
      fileSystem: 'local',
      host: here,
      processExists: () => false,
      ...facts,
    });
    expect(verdict.kind).toBe(expected);
  });
});

describe('mayTakeOver', () => {
  it.each([
    ['none', true, true],
    ['dead', true, true],
    ['alive', false, false],
    ['unproven', false, false],
    ['malformed', false, true],
  ] as const)('%s: managed %s, unmanaged %s', (kind, managed, unmanaged) => {
    const verdict = kind === 'none' ? { kind } : { kind, why: '' };
    expect([mayTakeOver(verdict, 'managed'), mayTakeOver(verdict, 'unmanaged')]).toEqual([managed, unmanaged]);
  });
});

describe('watch_claim.json', () => {
  const claim = fc.record({
    pid: fc.integer({ min: 1, max: 2 ** 31 }),
    host: fc.string({ minLength: 1 }),
    token: fc.stringMatching(/^[0-9a-f]{64}$/),
    lease: fc.record({ device: fc.bigInt(0n, 2n ** 64n - 1n), inode: fc.bigInt(0n, 2n ** 64n - 1n) }),
  });

  it('comes back as it was, with devices and inodes beyond 2^53', () => {
    fc.assert(
      fc.property(claim, (one) => {
        expect(decodeClaim(encodeClaim(one))).toEqual(one);
      }),
    );
  });

  it('has the fields of the protocol', () => {
    expect(JSON.parse(encodeClaim({ pid: 7, host: 'h', token, lease: { device: 8n, inode: 9n } }))).toEqual({
      pid: 7,
      host: 'h',
      token,
      lease_version: 1,
      lease_device: 8,
      lease_inode: 9,
    });
  });

  it('without a lease, or with one of another version, is a claim without a lease', () => {
    expect(decodeClaim(JSON.stringify({ pid: 7, host: 'h', token }))?.lease).toBeNull();
    expect(
      decodeClaim(JSON.stringify({ pid: 7, host: 'h', token, lease_version: 2, lease_device: 1, lease_inode: 2 }))
        ?.lease,
    ).toBeNull();
  });

  it('is nothing when a field is out of range', () => {
    const good = { pid: 7, host: 'h', token };
    const bad = [
      { pid: 0 },
      { pid: 1.5 },
      { pid: '7' },
      { host: '' },
      { host: 7 },
      { token: 'AB'.repeat(32) },
      { token: '' },
    ];
    for (const change of bad) expect(decodeClaim(JSON.stringify({ ...good, ...change }))).toBeNull();
    for (const text of ['', '{', 'null', '[]', '7']) expect(decodeClaim(text)).toBeNull();
  });
});
