import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileStamp } from '../../packages/watch/src/scan/stamp.ts';
import { compareStamps, type KnownStamp } from '../../packages/watch/src/signature/compare.ts';
import { clockGrains, racyDuring } from '../../packages/watch/src/signature/racy.ts';

const SECOND = 1_000_000_000n;
const MILLISECOND = 1_000_000n;
const NOW = 1_800_000_000n * SECOND;
const TAKEN = { startedNs: NOW, endedNs: NOW + 200n * MILLISECOND };
const LONG_AGO = NOW - 3_600n * SECOND + 1n;

function stamp(path: string, more: Partial<FileStamp> = {}): FileStamp {
  return { path, kind: 'file', size: 1, mtimeNs: LONG_AGO, ctimeNs: LONG_AGO, ino: 1n, dev: 1n, ...more };
}

function known(...stamps: FileStamp[]): Map<string, KnownStamp> {
  return new Map(stamps.map((file) => [file.path, file]));
}

function scanned(files: FileStamp[], unseen: { vanished?: string[]; skipped?: string[] } = {}) {
  const skipped = (unseen.skipped ?? []).map((path) => ({ path, reason: 'EACCES' }));
  return { files, vanished: unseen.vanished ?? [], skipped };
}

describe('compareStamps', () => {
  it.each([
    ['size', { size: 2 }],
    ['mtime by a nanosecond', { mtimeNs: LONG_AGO + 1n }],
    ['ctime alone, as when the mtime is set back', { ctimeNs: LONG_AGO + 1n }],
    ['inode', { ino: 2n }],
    ['type', { kind: 'link' as const }],
  ])('sees a change of %s', (_, more) => {
    const result = compareStamps(known(stamp('a')), scanned([stamp('a', more)]), TAKEN);
    expect(result).toEqual({ added: [], changed: ['a'], removed: [], unverified: [], racy: [] });
  });

  it('does without the type where it is not remembered', () => {
    const { kind: _, ...remembered } = stamp('a');
    expect(compareStamps(new Map([['a', remembered]]), scanned([stamp('a')]), TAKEN).changed).toEqual([]);
  });

  it('keeps what it could not see, and nothing beside it', () => {
    const before = known(stamp('shut/a'), stamp('shut/b/c'), stamp('shutter'), stamp('half'), stamp('gone'));
    const result = compareStamps(before, scanned([], { skipped: ['shut'], vanished: ['half'] }), TAKEN);
    expect(result.unverified).toEqual(['shut/a', 'shut/b/c', 'half']);
    expect(result.removed).toEqual(['shutter', 'gone']);
  });

  it('calls equal stamps racy when they were taken within one step of the clock', () => {
    const young = stamp('young', { ctimeNs: NOW - 5n * MILLISECOND });
    const old = stamp('old', { ctimeNs: NOW - 11n * MILLISECOND });
    expect(compareStamps(known(young, old), scanned([young, old]), TAKEN).racy).toEqual(['young']);
  });

  it('puts each path of either side into one list at most, and all that differ into one', () => {
    const stamps = fc.uniqueArray(
      fc.record({ path: fc.constantFrom('a', 'b', 'c', 'd/a', 'd/b', 'e'), ctimeNs: fc.constantFrom(LONG_AGO, NOW) }),
      { selector: ({ path }) => path },
    );
    const unseen = fc.subarray(['d', 'a', 'e']);
    fc.assert(
      fc.property(stamps, stamps, unseen, unseen, (before, after, vanished, skipped) => {
        const files = after.map(({ path, ctimeNs }) => stamp(path, { ctimeNs }));
        const previous = known(...before.map(({ path, ctimeNs }) => stamp(path, { ctimeNs })));
        const result = compareStamps(previous, scanned(files, { vanished, skipped }), TAKEN);
        const told = [...result.added, ...result.changed, ...result.removed, ...result.unverified, ...result.racy];
        expect(new Set(told).size).toBe(told.length);
        const present = new Map(files.map((file) => [file.path, file.ctimeNs]));
        const differing = [...new Set([...previous.keys(), ...present.keys()])].filter(
          (path) => previous.get(path)?.ctimeNs !== present.get(path),
        );
        expect(told.filter((path) => !result.racy.includes(path)).sort()).toEqual(differing.sort());
      }),
    );
  });
});

describe('the clock of a device', () => {
  it('is coarse until a change time with a fraction is seen there', () => {
    const grainOf = clockGrains([
      stamp('a', { dev: 1n, ctimeNs: NOW }),
      stamp('b', { dev: 2n, ctimeNs: NOW + 1n }),
      stamp('c', { dev: 2n, ctimeNs: NOW }),
    ]);
    expect([grainOf(1n), grainOf(2n), grainOf(3n)]).toEqual([2n * SECOND, 10n * MILLISECOND, 2n * SECOND]);
  });

  it('makes no stamp from the future racy, which any write would move', () => {
    const isRacy = racyDuring(TAKEN, () => 10n * MILLISECOND);
    expect(isRacy(stamp('a', { mtimeNs: NOW + 3_600n * SECOND }))).toBe(false);
    expect(isRacy(stamp('a', { mtimeNs: TAKEN.endedNs }))).toBe(true);
  });

  it('may be set back during a scan', () => {
    const isRacy = racyDuring({ startedNs: NOW, endedNs: NOW - 60n * SECOND }, () => 10n * MILLISECOND);
    expect(isRacy(stamp('a', { ctimeNs: NOW - 30n * SECOND }))).toBe(true);
    expect(isRacy(stamp('a'))).toBe(false);
  });
});
