import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPack } from '../../packages/index/src/store/index.ts';
import { encodeLine, type FoundLine, scanLines } from '../../packages/index/src/store/packs/line.ts';
import { endAll, start } from '../support/running.ts';
import { removeIndexDirs, temporaryIndexDir } from './support/store-blocks.ts';
import { withFailingChange } from './support/store-full-disk.ts';

const CHILD = fileURLToPath(new URL('support/store-child.mjs', import.meta.url));
let dir = '';

beforeEach(() => {
  dir = temporaryIndexDir();
});
afterEach(() => {
  endAll();
  removeIndexDirs();
});

const packs = () => readdirSync(dir).filter((name) => name.endsWith('.ndjson'));
const onlyPack = () => join(dir, packs()[0] ?? '');

function putAll(entries: Iterable<readonly [string, string]>, bounds = {}): void {
  const pack = openPack({ dir, ...bounds });
  for (const [key, json] of entries) pack.put(key, json);
  pack.close();
}

function getAll(keys: readonly string[]): (string | null)[] {
  const pack = openPack({ dir });
  const found = keys.map((key) => pack.get(key));
  pack.close();
  return found;
}

describe('a pack', () => {
  it('gives back what was put, before and after it is flushed, and in the next process', () => {
    const json = fc.json();
    const key = fc.stringMatching(/^[!#-[\]-~]{1,20}$/);
    fc.assert(
      fc.property(fc.dictionary(key, json, { noNullPrototype: true }), fc.nat(5), (entries, flushAt) => {
        rmSync(dir, { recursive: true, force: true });
        const pack = openPack({ dir });
        for (const [at, [name, text]] of Object.entries(entries).entries()) {
          pack.put(name, text);
          if (at === flushAt) pack.flush();
          expect(pack.get(name)).toBe(text);
        }
        pack.close();
        expect(getAll(Object.keys(entries))).toEqual(Object.values(entries));
        expect(getAll(['missing key'])).toEqual([null]);
      }),
      { numRuns: 50 },
    );
  });

  it('is NDJSON for its owner only', () => {
    putAll([['k', '{"a":1}']]);
    const [line] = readFileSync(onlyPack(), 'utf8').split('\n');
    expect(JSON.parse(line ?? '')).toEqual({ key: 'k', crc: expect.stringMatching(/^[0-9a-f]{8}$/), record: { a: 1 } });
    expect(statSync(onlyPack()).mode & 0o777).toBe(0o600);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
  });

  it('makes no file when nothing was put', () => {
    putAll([]);
    expect(packs()).toEqual([]);
  });

  it('gives the newest of several records of a key', () => {
    putAll([
      ['k', '1'],
      ['k', '2'],
    ]);
    const first = onlyPack();
    utimesSync(first, 1, 1);
    putAll([['k', '3']]);
    expect(getAll(['k'])).toEqual(['3']);
  });

  it.each(['', 'a b', 'a"b', 'a\\b', 'é', 'x'.repeat(513)])('refuses the key %j', (key) => {
    const pack = openPack({ dir });
    expect(() => pack.put(key, '1')).toThrow(TypeError);
    pack.close();
  });

  it('refuses a record of two lines', () => {
    const pack = openPack({ dir });
    expect(() => pack.put('k', '{\n}')).toThrow(/more than one line/);
    pack.close();
  });

  it('is found by a reader that was there before, when it looks again', () => {
    const reader = openPack({ dir });
    const writer = openPack({ dir });
    writer.put('one', '1');
    writer.flush();
    expect(reader.get('one')).toBeNull();
    reader.refresh();
    expect(reader.get('one')).toBe('1');
    writer.put('two', '2');
    writer.flush();
    reader.refresh();
    expect([reader.get('one'), reader.get('two')]).toEqual(['1', '2']);
    reader.close();
    writer.close();
  });
});

describe('hostile and damaged packs', () => {
  const good = encodeLine('good', '{"ok":true}').toString();
  const line = (key: string, json: string) => encodeLine(key, json).toString();

  it.each([
    ['nothing', ''],
    ['empty lines', '\n\n\n'],
    ['other text', 'not json\n{"key":1}\n[]\n'],
    ['bytes that are no text', '\x00\xff\xfe\n'],
    ['a wrong checksum', `${line('bad', '1').replace(/"crc":"./, '"crc":"x')}`],
    ['a changed record', line('bad', '{"a":1}').replace('1', '2')],
    ['a changed key', line('good2', '{"a":1}').replace('good2', 'bad00')],
    ['a record that is cut in the line', `${line('bad', '{"a":"bcdefgh"}').slice(0, -6)}\n`],
    ['a key that is too long', `{"key":"${'k'.repeat(600)}","crc":"00000000","record":1}\n`],
    ['a key with an escape', '{"key":"a\\u0022","crc":"00000000","record":1}\n'],
    ['no record', '{"key":"bad","crc":"00000000","record":}\n'],
    ['a long line without an end', 'x'.repeat(3_000_000)],
    ['a long line', `${'x'.repeat(3_000_000)}\n`],
  ])('%s are passed over', (_, text) => {
    mkdirSync(dir);
    writeFileSync(
      join(dir, '1-aaaaaaaaaaaa.ndjson'),
      `${good}${text}${text.endsWith('\n') || text === '' ? line('after', '2') : ''}`,
      'latin1',
    );
    expect(getAll(['good', 'bad', 'bad00'])).toEqual(['{"ok":true}', null, null]);
    if (text.endsWith('\n')) expect(getAll(['after'])).toEqual(['2']);
  });

  it('a torn tail is passed over and read when the rest has come', () => {
    mkdirSync(dir);
    const path = join(dir, '1-aaaaaaaaaaaa.ndjson');
    const tail = line('late', '{"long":"record"}');
    writeFileSync(path, good + tail.slice(0, 30));
    const pack = openPack({ dir });
    expect(pack.get('late')).toBeNull();
    appendFileSync(path, tail.slice(30));
    pack.refresh();
    expect(pack.get('late')).toBe('{"long":"record"}');
    pack.close();
  });

  it('any cut into chunks finds the same lines', () => {
    const text = Buffer.from(`${good + line('k', '"ü🌲"')}junk\n${line('last', '3')}{"key"`);
    const scanned = (chunks: readonly Uint8Array[]) => {
      const lines: FoundLine[] = [];
      const scan = scanLines(0, (found) => lines.push(found));
      for (const chunk of chunks) scan.feed(chunk);
      return { lines, end: scan.end() };
    };
    const whole = scanned([text]);
    expect(whole.lines.map(({ key }) => key)).toEqual(['good', 'k', 'last']);
    expect(text.subarray(whole.end).toString()).toBe('{"key"');
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
        const ends = [0, ...cuts.sort((a, b) => a - b), text.length];
        const chunks = ends.slice(1).map((end, at) => text.subarray(ends[at], end));
        expect(scanned(chunks)).toEqual(whole);
      }),
    );
  });

  it('a record whose bytes changed after it was found is a miss', () => {
    putAll([['k', '{"a":1}']]);
    const pack = openPack({ dir });
    const text = readFileSync(onlyPack(), 'utf8');
    writeFileSync(onlyPack(), text.replace('{"a":1}', '{"a":2}'));
    expect(pack.get('k')).toBeNull();
    pack.put('k', '{"a":3}');
    pack.close();
    // Whichever of the two files counts as the newer one: the damaged record hides no whole one.
    for (const [first, second] of [
      [1, 2],
      [2, 1],
    ] as const) {
      for (const [at, name] of packs().sort().entries())
        utimesSync(join(dir, name), at === 0 ? first : second, at === 0 ? first : second);
      expect(getAll(['k'])).toEqual(['{"a":3}']);
    }
    putAll([], { maxFiles: 1 });
    expect(getAll(['k'])).toEqual(['{"a":3}']);
  });

  it('links, directories and other names are no packs', () => {
    putAll([['k', '1']]);
    renameSync(onlyPack(), join(dirname(dir), 'outside'));
    symlinkSync(join(dirname(dir), 'outside'), join(dir, '1-aaaaaaaaaaaa.ndjson'));
    mkdirSync(join(dir, '2-aaaaaaaaaaaa.ndjson'));
    writeFileSync(join(dir, 'notes.txt'), good);
    expect(getAll(['k', 'good'])).toEqual([null, null]);
  });
});

describe('a pack that cannot be written', () => {
  it('is an empty cache that says why', () => {
    writeFileSync(dir, 'a file');
    const pack = openPack({ dir });
    pack.put('k', '1');
    pack.flush();
    expect(pack.get('k')).toBeNull();
    expect(pack.problem()).toMatch(/EEXIST|ENOTDIR/);
    pack.close();
  });

  it('stops writing at the first failure, and what it wrote before is there', async () => {
    const pack = openPack({ dir });
    pack.put('one', '1');
    pack.flush();
    pack.put('two', '2');
    const { result } = await withFailingChange(1, 'ENOSPC', async () => pack.flush());
    expect(result.status).toBe('fulfilled');
    expect(pack.problem()).toMatch(/ENOSPC/);
    pack.put('three', '3');
    pack.close();
    expect(getAll(['one', 'two', 'three'])).toEqual(['1', null, null]);
  });

  it('goes on in a new file when its directory was deleted under it', () => {
    const pack = openPack({ dir });
    pack.put('one', '1');
    pack.flush();
    rmSync(dir, { recursive: true });
    pack.refresh();
    pack.put('two', '2');
    pack.close();
    expect(getAll(['one', 'two'])).toEqual([null, '2']);
  });

  it.skipIf(process.getuid?.() === 0)('is read where only reading is allowed', () => {
    putAll([['k', '1']]);
    chmodSync(dir, 0o500);
    try {
      expect(getAll(['k'])).toEqual(['1']);
    } finally {
      chmodSync(dir, 0o700);
    }
  });
});

describe('compaction', () => {
  it('folds many files into one, the newest record of each key', () => {
    for (let version = 0; version < 6; version += 1) {
      putAll([
        ['same', String(version)],
        [`own-${version}`, '{}'],
      ]);
      const newest = packs()
        .map((name) => join(dir, name))
        .find((path) => statSync(path).mtimeMs > 100_000);
      if (newest !== undefined) utimesSync(newest, version + 1, version + 1);
    }
    expect(packs()).toHaveLength(6);
    putAll([], { maxFiles: 5 });
    expect(packs()).toHaveLength(1);
    expect(getAll(['same', 'own-0', 'own-5'])).toEqual(['5', '{}', '{}']);
    expect(readFileSync(onlyPack(), 'utf8').split('\n')).toHaveLength(8);
  });

  it('keeps the newest records when there are too many bytes, and drops what is damaged', () => {
    const record = JSON.stringify('x'.repeat(1000));
    putAll(Array.from({ length: 100 }, (_, at) => [`k${at}`, record]));
    appendFileSync(onlyPack(), 'damage\n');
    putAll([], { maxBytes: 50_000 });
    expect(statSync(onlyPack()).size).toBeLessThan(50_000);
    expect(readFileSync(onlyPack(), 'utf8')).not.toContain('damage');
    expect(getAll(['k99', 'k80', 'k0'])).toEqual([record, record, null]);
  });

  it('leaves the file of a living writer alone, and takes it when its writer is gone', async () => {
    const child = start(process.execPath, [CHILD, 'pack', dir, '3'], { cwd: dirname(dir) });
    await child.line(/flushed/);
    const [written] = packs();
    putAll([['a', '1']]);
    putAll([['b', '1']]);
    putAll([], { maxFiles: 1 });
    expect(packs()).toHaveLength(2);
    expect(packs()).toContain(written);
    child.signal('SIGKILL');
    await child.exit;
    putAll([], { maxFiles: 1 });
    expect(packs()).toHaveLength(1);
    expect(getAll(['a', 'b', `${child.pid}-2`])).toEqual(['1', '1', '{"n":2}']);
  });

  it('under a reader costs it nothing, and it finds the new file', () => {
    putAll([['a', '1']]);
    putAll([['b', '2']]);
    const reader = openPack({ dir });
    putAll([], { maxFiles: 1 });
    expect([reader.get('a'), reader.get('b')]).toEqual(['1', '2']);
    reader.refresh();
    putAll([['c', '3']]);
    reader.refresh();
    expect([reader.get('a'), reader.get('b'), reader.get('c')]).toEqual(['1', '2', '3']);
    reader.close();
  });

  it('bounds what one writer that never ends writes', () => {
    const record = JSON.stringify('x'.repeat(1000));
    const pack = openPack({ dir, maxBytes: 100_000 });
    for (let at = 0; at < 1000; at += 1) {
      pack.put(`k${at}`, record);
      if (at % 10 === 0) pack.flush();
    }
    pack.flush();
    const bytes = packs().reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
    expect(bytes).toBeLessThan(150_000);
    expect(pack.get('k999')).toBe(record);
    pack.close();
  });

  it('removes what a killed compaction left', () => {
    putAll([['a', '1']]);
    putAll([['b', '2']]);
    writeFileSync(join(dir, '7-bbbbbbbbbbbb.ndjson.tmp'), 'half');
    putAll([], { maxFiles: 1 });
    expect(existsSync(join(dir, '7-bbbbbbbbbbbb.ndjson.tmp'))).toBe(false);
  });
});

it('several processes write at once and each finds all', async () => {
  const children = Array.from({ length: 3 }, () =>
    start(process.execPath, [CHILD, 'pack', dir, '50'], { cwd: dirname(dir) }),
  );
  for (const child of children) await child.line(/flushed/);
  const keys = children.flatMap(({ pid }) => Array.from({ length: 50 }, (_, at) => `${pid}-${at}`));
  expect(getAll(keys)).toEqual(children.flatMap(() => Array.from({ length: 50 }, (_, at) => `{"n":${at}}`)));
});
