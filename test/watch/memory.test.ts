import { describe, expect, it } from 'vitest';
import { type Memory, NO_MEMORY, type Seen, takeIn } from '../../packages/watch/src/backend/memory.ts';
import type { FileStamp } from '../../packages/watch/src/scan/stamp.ts';

const MILLISECOND = 1_000_000n;
const START = 1_800_000_000_000n * MILLISECOND + 1n;

function file(path: string, writtenMs: number, more: Partial<FileStamp> = {}): FileStamp {
  const written = START + BigInt(writtenMs) * MILLISECOND;
  return { path, kind: 'file', size: 1, mtimeNs: written, ctimeNs: written, ino: 1n, dev: 1n, ...more };
}

/** Scans one second apart, each given by its files and what vanished under it. */
function follow(
  scans: readonly { files: FileStamp[]; vanished?: string[]; contents?: Record<string, string | null> }[],
): string[][] {
  let memory: Memory = NO_MEMORY;
  return scans.map(({ files, vanished = [], contents = {} }, index) => {
    const startedNs = START + BigInt(index * 1_000) * MILLISECOND;
    const seen: Seen = { files, vanished, skipped: [], startedNs, endedNs: startedNs + MILLISECOND };
    const result = takeIn(memory, seen, ({ path }) => contents[path] ?? null);
    memory = result.memory;
    return result.paths;
  });
}

describe('what polling remembers', () => {
  it('tells a file that is gone at once', () => {
    expect(follow([{ files: [file('a', -9_000)] }, { files: [] }])).toEqual([['a'], ['a']]);
  });

  it('waits for a second miss when a file was listed and gone', () => {
    const a = file('a', -9_000);
    expect(follow([{ files: [a] }, { files: [], vanished: ['a'] }, { files: [] }, { files: [] }])).toEqual([
      ['a'],
      [],
      ['a'],
      [],
    ]);
    expect(follow([{ files: [a] }, { files: [], vanished: ['a'] }, { files: [], vanished: ['a'] }])).toEqual([
      ['a'],
      [],
      ['a'],
    ]);
  });

  it('tells nothing when it was only being replaced by itself, and the change when by another', () => {
    const a = file('a', -9_000);
    expect(follow([{ files: [a] }, { files: [], vanished: ['a'] }, { files: [a] }])).toEqual([['a'], [], []]);
    expect(follow([{ files: [a] }, { files: [], vanished: ['a'] }, { files: [file('a', 500)] }])).toEqual([
      ['a'],
      [],
      ['a'],
    ]);
  });

  it('keeps what lies in a directory that vanished under the scan, once', () => {
    const inside = [file('d/a', -9_000), file('d/b/c', -9_000)];
    expect(follow([{ files: inside }, { files: [], vanished: ['d'] }, { files: [] }])).toEqual([
      ['d/a', 'd/b/c'],
      [],
      ['d/a', 'd/b/c'],
    ]);
  });

  it('finds other contents under the same stamp at the next scan, and only once', () => {
    const young = file('a', -1);
    const scans = ['one', 'two', 'two'].map((text) => ({ files: [young], contents: { a: text } }));
    expect(follow(scans)).toEqual([['a'], ['a'], []]);
  });

  it('leaves equal contents alone', () => {
    const young = file('a', -1);
    expect(follow([1, 2].map(() => ({ files: [young], contents: { a: 'one' } })))).toEqual([['a'], []]);
  });

  it('takes a young file that cannot be read for changed, once', () => {
    const young = file('a', -1);
    expect(follow([1, 2, 3].map(() => ({ files: [young], contents: { a: null } })))).toEqual([['a'], ['a'], []]);
  });

  it('does not read old files', () => {
    const memory = takeIn(
      NO_MEMORY,
      { files: [file('a', -9_000)], vanished: [], skipped: [], startedNs: START, endedNs: START },
      () => expect.fail('read an old file'),
    );
    expect(memory.paths).toEqual(['a']);
  });
});
