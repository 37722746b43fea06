import {
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writePointer } from '@woods/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCurrent } from '../../packages/index/src/read/current.ts';
import { openReader } from '../../packages/index/src/read/index.ts';
import { pinCurrent } from '../../packages/index/src/read/pin.ts';
import { endAll, start } from '../support/running.ts';
import { fileBlock, publish, removeIndexDirs, temporaryIndexDir } from './support/store-blocks.ts';
import { whenOpened } from './support/store-interpose.ts';

const CHILD = fileURLToPath(new URL('support/store-child.mjs', import.meta.url));
let indexDir = '';

beforeEach(() => {
  indexDir = temporaryIndexDir();
});
afterEach(() => {
  endAll();
  removeIndexDirs();
});

const pointerFile = () => join(indexDir, 'generation.json');
const failsWith = (code: string, message: RegExp) =>
  expect.objectContaining({ name: 'IndexError', code, message: expect.stringMatching(message) });

describe('a reader', () => {
  it('has nothing to say before the first publish, and answers from then on', async () => {
    const reader = openReader(indexDir);
    expect(() => reader.generation()).toThrow(failsWith('empty_index', /no published index; run woods extract/));
    expect(() => reader.pinned(() => 1)).toThrow(failsWith('empty_index', /no published index/));
    await publish(indexDir, [fileBlock('a.ts')]);
    expect(reader.generation()).toMatchObject({ number: 1, reason: 'test' });
  });

  it('answers each question from the newest generation', async () => {
    await publish(indexDir, [fileBlock('a.ts', { units: ['x'] })]);
    const reader = openReader(indexDir);
    expect(reader.lookup('y').kind).toBe('not_found');
    await publish(indexDir, [fileBlock('a.ts', { units: ['y'] })]);
    expect(reader.lookup('y')).toMatchObject({ kind: 'found', by: 'name', unit: { identifier: 'a.ts#y' } });
    expect(reader.lookup('x').kind).toBe('not_found');
  });

  it('reads the segments that it has no second time', async () => {
    await publish(indexDir, [fileBlock('a.ts'), fileBlock('b.ts')]);
    const reader = openReader(indexDir);
    const [first] = reader.manifest().segments;
    await publish(indexDir, [fileBlock('b.ts', { version: 1 })]);
    // The same file under all its names: only a reader that has it in memory can go on.
    truncateSync(join(indexDir, 'payloads/gen-2', `${first?.name}.seg`), 10);
    expect(reader.unit('b.ts')?.signature).toBe('const null 1');
    expect(() => openReader(indexDir).unit('b.ts')).toThrow(
      failsWith('corrupt_artifact', /expected \d+ bytes, found 10/),
    );
  });

  it('is not fooled by a pointer of the same size, inode and time while the clock may stand still', async () => {
    const first = await publish(indexDir, [fileBlock('a.ts')]);
    const second = await publish(indexDir, [fileBlock('b.ts')]);
    const soon = Date.now() / 1000 + 3600;
    const point = (pointer: typeof first.pointer) => {
      writeFileSync(pointerFile(), `${JSON.stringify(pointer)}\n`);
      utimesSync(pointerFile(), soon, soon);
    };
    point(first.pointer);
    const reader = openReader(indexDir);
    expect(reader.generation().number).toBe(1);
    point(second.pointer);
    expect(reader.generation().number).toBe(2);
  });

  it('never mixes generations while they are published as fast as can be', { timeout: 60_000 }, async () => {
    const child = start(process.execPath, [CHILD, 'publish', indexDir], { cwd: dirname(indexDir) });
    await child.line(/published 1/);
    const reader = openReader(indexDir);
    const seen = new Set<number>();
    while (seen.size < 25) {
      reader.pinned((queries, hold) => {
        expect(hold).toEqual({ state: 'pinned' });
        const { number, reason } = queries.generation();
        expect(reason).toBe(`version ${number - 1}`);
        const versions = [...queries.units()].map(({ metadata }) => Number(metadata.version));
        expect(versions).toHaveLength(24);
        expect(Math.max(...versions)).toBe(number - 1);
        expect(queries.source(`src/file${(number - 1) % 12}.ts`)).toContain(` ${number - 1}'`);
        seen.add(number);
      });
      // Unpinned texts come from the payload that was current at the question, or from a newer one.
      expect(reader.source('src/file3.ts#value')).toMatch(/^export const value/);
      // Lets the lines of the child in, so that its pipe never fills.
      await new Promise((resolve) => setImmediate(resolve));
    }
    child.signal('SIGKILL');
    await child.exit;
  });

  it('follows the pointer when a generation is taken away while it is opened', async () => {
    const first = await publish(indexDir, [fileBlock('a.ts')]);
    const second = await publish(indexDir, [fileBlock('b.ts')]);
    writePointer(indexDir, first.pointer);
    const reader = openReader(indexDir);
    const inBetween = () => {
      writePointer(indexDir, second.pointer);
      rmSync(first.payloadDir, { recursive: true });
    };
    const number = whenOpened('before', /gen-1.manifest\.json$/, inBetween, () => reader.generation().number);
    expect(number).toBe(2);
  });

  it('pins again what was published while it was pinning', async () => {
    await publish(indexDir, [fileBlock('a.ts')]);
    const stale = snapshotNow();
    await publish(indexDir, [fileBlock('b.ts')]);
    const answers = [stale, stale, snapshotNow()];
    const pin = pinCurrent(indexDir, () => answers.shift() ?? snapshotNow());
    expect(pin.hold).toEqual({ state: 'pinned' });
    expect(pin.snapshot.pointer.number).toBe(2);
    expect(answers).toEqual([]);
    pin.release();
  });

  it('does not pin a directory that took the place of the one it had opened', async () => {
    const { payloadDir } = await publish(indexDir, [fileBlock('a.ts')]);
    const manifest = join(payloadDir, 'manifest.json');
    const bytes = readFileSync(manifest);
    const replace = () => {
      unlinkSync(manifest);
      writeFileSync(manifest, bytes);
    };
    const snapshot = snapshotNow();
    let looks = 0;
    const pin = whenOpened('after', /manifest\.json$/, replace, () =>
      pinCurrent(indexDir, () => {
        looks += 1;
        return snapshot;
      }),
    );
    expect(looks).toBe(2);
    expect(pin.hold.state).toBe('pinned');
    pin.release();
  });

  it('answers no more when it is closed', async () => {
    await publish(indexDir, []);
    const reader = openReader(indexDir);
    expect(reader.files()).toEqual([]);
    reader.close();
    expect(() => reader.files()).toThrow(/closed/);
  });
});

function snapshotNow() {
  return openCurrent(indexDir).get();
}

describe('what is damaged', () => {
  beforeEach(async () => {
    await publish(indexDir, [fileBlock('a.ts', { units: ['x'] })]);
  });

  const payload = () => join(indexDir, 'payloads/gen-1');
  const damages: [string, () => void, RegExp][] = [
    ['a pointer of half a line', () => writeFileSync(pointerFile(), '{"number":1,'), /generation.json/],
    ['an empty pointer', () => writeFileSync(pointerFile(), ''), /generation.json/],
    ['a pointer that is a directory', () => replacePointer(mkdirSync), /generation.json/],
    ['a pointer that is a link', () => replacePointer((path) => symlinkSync('/etc/hostname', path)), /generation.json/],
    ['a huge pointer', () => writeFileSync(pointerFile(), ' '.repeat(1e6)), /generation.json/],
    ['a payload that is gone', () => rmSync(payload(), { recursive: true }), /gen-1.*gone/],
    ['a manifest that is gone', () => unlinkSync(join(payload(), 'manifest.json')), /manifest.json.*no such file/],
    [
      'a manifest of half a line',
      () => writeFileSync(join(payload(), 'manifest.json'), '{'),
      /manifest.json: it is not a JSON object/,
    ],
    ['a manifest of another format', () => change('"format": 1', '"format": 9'), /expected format 1, found 9/],
    [
      'a manifest of another generation',
      () => change('"generation": 1', '"generation": 7'),
      /expected generation 1, found 7/,
    ],
    [
      'a manifest with a name that leaves',
      () => change('"name": "s1-', '"name": "../s'),
      /a field is missing or of another type/,
    ],
    ['a manifest without segments', () => change('"segments"', '"sediments"'), /a field is missing/],
  ];

  function replacePointer(by: (path: string) => unknown): void {
    rmSync(pointerFile());
    by(pointerFile());
  }

  function change(from: string, to: string): void {
    const path = join(payload(), 'manifest.json');
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(from);
    writeFileSync(path, text.replace(from, to));
  }

  it.each(damages)('%s is a corrupt artifact', (_, damage, message) => {
    damage();
    expect(() => openReader(indexDir).unit('a.ts')).toThrow(failsWith('corrupt_artifact', message));
  });

  it('a pointer to a payload outside is refused', () => {
    const pointer = {
      number: 1,
      token: 'a'.repeat(16),
      updated_at: '2026-01-01T00:00:00.000Z',
      reason: 'x',
      payload: '../..',
    };
    writePointer(indexDir, pointer);
    expect(() => openReader(indexDir).unit('a.ts')).toThrow(failsWith('corrupt_artifact', /outside|below/));
  });

  it('the texts are gone: units are still answered, their source is a corrupt artifact', () => {
    const reader = openReader(indexDir);
    const [segment] = reader.manifest().segments;
    unlinkSync(join(payload(), `${segment?.name}.bodies`));
    expect(reader.unit('a.ts#x')?.name).toBe('x');
    expect(() => reader.source('a.ts#x')).toThrow(
      failsWith('corrupt_artifact', /bodies: it is gone; run woods extract/),
    );
  });

  it('the texts are cut: their source is a corrupt artifact', () => {
    const reader = openReader(indexDir);
    const [segment] = reader.manifest().segments;
    truncateSync(join(payload(), `${segment?.name}.bodies`), 3);
    expect(() => reader.source('a.ts#x')).toThrow(
      failsWith('corrupt_artifact', /it ends before byte.*; run woods extract/),
    );
  });

  it('heals with the next publish, for a reader that was there all the time', async () => {
    const reader = openReader(indexDir);
    writeFileSync(pointerFile(), 'x');
    expect(() => reader.files()).toThrow(failsWith('corrupt_artifact', /generation.json/));
    await publish(indexDir, [fileBlock('b.ts')], { previous: null });
    expect(reader.files().map(({ path }) => path)).toEqual(['b.ts']);
  });
});
