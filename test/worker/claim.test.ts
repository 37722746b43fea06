import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfIdentity, UsageError } from '@woods/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  acquireClaim,
  type ClaimAttempt,
  type HeldClaim,
  recoverClaim,
} from '../../packages/worker/src/claim/claim.ts';
import { decodeClaim, encodeClaim } from '../../packages/worker/src/claim/format.ts';

let place: string;
const held: HeldClaim[] = [];

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'woods-claim-'));
});
afterEach(() => {
  for (const claim of held.splice(0)) claim.release();
  rmSync(place, { recursive: true, force: true });
});

const self = selfIdentity();
const path = (suffix = '') => join(place, `watch_claim.json${suffix}`);

async function acquire(run: 'managed' | 'unmanaged' = 'managed'): Promise<ClaimAttempt> {
  const attempt = await acquireClaim({ indexDir: place, run, self });
  if (attempt.kind === 'held') held.push(attempt.claim);
  return attempt;
}

describe('the claim', () => {
  it('names us, is private, and carries the identity of its lease', async () => {
    expect(await acquire()).toMatchObject({ kind: 'held', took: null });
    const claim = decodeClaim(readFileSync(path(), 'utf8'));
    const lease = statSync(path('.lease'), { bigint: true });
    expect(claim).toMatchObject({ pid: process.pid, host: self.host, lease: { device: lease.dev, inode: lease.ino } });
    for (const suffix of ['', '.lease', '.lock']) expect(statSync(path(suffix)).mode & 0o777).toBe(0o600);
  });

  it('is refused to a second worker while the first lives, even when its claim file is gone', async () => {
    await acquire();
    expect(await acquire('managed')).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining(String(process.pid)),
    });
    expect(await acquire('unmanaged')).toMatchObject({ kind: 'refused' });
    rmSync(path());
    expect(await acquire('unmanaged')).toMatchObject({ kind: 'refused' });
  });

  it('is free again after the release, and its two side files stay', async () => {
    await acquire();
    held.pop()?.release();
    expect(existsSync(path())).toBe(false);
    expect([existsSync(path('.lease')), existsSync(path('.lock'))]).toEqual([true, true]);
    expect(await acquire()).toMatchObject({ kind: 'held', took: null });
  });

  it('knows when it was removed or replaced, and then leaves what it finds', async () => {
    await acquire();
    const claim = held[0];
    expect(claim?.owned()).toBe(true);
    writeFileSync(path(), readFileSync(path(), 'utf8').replace(/[0-9a-f]{64}/, 'f'.repeat(64)));
    expect(claim?.owned()).toBe(false);
    claim?.release();
    expect(existsSync(path())).toBe(true);
  });

  it('is gone with its lease file', async () => {
    await acquire();
    rmSync(path('.lease'));
    expect(held[0]?.owned()).toBe(false);
  });
});

describe('an old claim', () => {
  it('is taken over when its lease is free, whatever host it names', async () => {
    await acquire();
    const text = readFileSync(path(), 'utf8').replace(`"${self.host}"`, '"another-container"');
    held.pop()?.release();
    writeFileSync(path(), text);
    expect(await acquire('managed')).toMatchObject({
      kind: 'held',
      took: expect.stringContaining('another-container'),
    });
  });

  it.each([
    ['torn', '{"pid":'],
    ['foreign, without a lease', JSON.stringify({ pid: 1, host: 'elsewhere', token: 'a'.repeat(64) })],
    [
      'of a living process without a lease',
      JSON.stringify({ pid: process.pid, host: self.host, token: 'a'.repeat(64) }),
    ],
  ])('that is %s is never taken over by a managed worker', async (_, text) => {
    writeFileSync(path(), text);
    expect(await acquire('managed')).toMatchObject({ kind: 'refused' });
    expect(readFileSync(path(), 'utf8')).toBe(text);
  });

  it('that nobody can read is told from one that can be read', async () => {
    writeFileSync(path(), 'nonsense');
    expect(await acquire('managed')).toMatchObject({ kind: 'refused', unreadable: path() });
    writeFileSync(path(), JSON.stringify({ pid: 1, host: 'elsewhere', token: 'a'.repeat(64) }));
    expect(await acquire('managed')).toMatchObject({ kind: 'refused', unreadable: null });
  });

  it('that nobody can read gives way to somebody who starts a worker by hand', async () => {
    writeFileSync(path(), 'nonsense');
    expect(await acquire('unmanaged')).toMatchObject({ kind: 'held', took: expect.stringContaining('cannot be read') });
  });

  it('is not followed when it is a link', async () => {
    const victim = join(place, 'victim');
    writeFileSync(victim, 'precious');
    symlinkSync(victim, path());
    expect(await acquire('managed')).toMatchObject({ kind: 'refused' });
    rmSync(path());
    rmSync(path('.lease'));
    symlinkSync(victim, path('.lease'));
    await expect(acquire()).rejects.toThrow();
    expect(readFileSync(victim, 'utf8')).toBe('precious');
  });
});

describe('a side file of the claim that is none', () => {
  const places: readonly [string, (path: string) => void, RegExp][] = [
    ['a directory', (path) => mkdirSync(path), /must be a file, but it is a directory; remove it/],
    ['a link', (path) => symlinkSync('nowhere', path), /must be a file, but it is a symbolic link; remove it/],
    ['a FIFO', (path) => execFileSync('mkfifo', [path]), /must be a file, but it is something else; remove it/],
  ];
  it.each(
    places.flatMap(([what, place, words]) => ['.lock', '.lease'].map((suffix) => ({ what, place, words, suffix }))),
  )('$suffix is $what', async ({ place: put, words, suffix }) => {
    put(path(suffix));
    await expect(acquire()).rejects.toThrow(UsageError);
    await expect(acquire()).rejects.toThrow(words);
  });
});

describe('starters at once', () => {
  it('end with exactly one owner', async () => {
    const attempts = await Promise.all(Array.from({ length: 8 }, () => acquire()));
    expect(attempts.filter(({ kind }) => kind === 'held')).toHaveLength(1);
  });
});

describe('a claim that nobody can prove dead', () => {
  const token = 'ab'.repeat(32);
  const abandon = () =>
    writeFileSync(path(), encodeClaim({ pid: 1, host: 'elsewhere', token, lease: { device: 1n, inode: 2n } }));

  it('is refused with the token that recovers it, and free afterwards', async () => {
    abandon();
    expect(await acquire()).toMatchObject({ kind: 'refused', token });
    expect(await recoverClaim(place, token)).toEqual({ kind: 'recovered', owner: 'process 1 on elsewhere' });
    expect(await recoverClaim(place, token)).toEqual({ kind: 'nothing' });
    expect(await acquire()).toMatchObject({ kind: 'held', took: null });
  });

  it('stays when another token is given, and when it cannot be read', async () => {
    abandon();
    expect(await recoverClaim(place, 'cd'.repeat(32))).toMatchObject({
      kind: 'refused',
      why: expect.stringMatching(/process 1 on elsewhere has another token/),
    });
    expect(existsSync(path())).toBe(true);
    writeFileSync(path(), '{');
    expect(await recoverClaim(place, token)).toMatchObject({
      kind: 'refused',
      why: expect.stringMatching(/cannot be read/),
    });
  });

  it('is never taken from a worker that lives, whatever token is given', async () => {
    await acquire();
    const living = decodeClaim(readFileSync(path(), 'utf8'))?.token ?? '';
    expect(await acquire()).toMatchObject({ kind: 'refused', token: null });
    expect(await recoverClaim(place, living)).toMatchObject({ kind: 'refused', why: expect.stringMatching(/lives/) });
    expect(held[0]?.owned()).toBe(true);
  });
});
