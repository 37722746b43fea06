import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  decodePointer,
  PayloadError,
  type Pointer,
  pointerPath,
  readPointer,
  resolvePayload,
  writePointer,
} from '@woods/protocol';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from './support/directory.ts';
import { HOSTILE } from './support/hostile.ts';

const pointer: Pointer = {
  number: 42,
  token: '0123456789abcdef',
  updated_at: '2026-03-01T12:00:00.000Z',
  reason: 'incremental',
  payload: 'payloads/gen-42',
};

const OUTSIDE = ['/payloads/gen-42', '..', '../payloads', 'payloads/../../x', '.', './', 'payloads/..', 'a/../..'];

function indexWithPayload(): string {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'payloads/gen-42'), { recursive: true });
  return directory;
}

describe('generation.json', () => {
  it('reads back what was written, for its owner alone', () => {
    const directory = temporaryDirectory();
    expect(readPointer(directory)).toEqual({ kind: 'missing' });
    writePointer(directory, pointer);
    expect(readPointer(directory)).toEqual({ kind: 'ok', value: pointer });
    expect(statSync(pointerPath(directory)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(directory, 'generation.json'), 'utf8'))).toEqual(pointer);
  });

  it.each(Object.entries(HOSTILE))('is corrupt where there is %s', (_, make) => {
    const directory = temporaryDirectory();
    make(pointerPath(directory));
    expect(readPointer(directory)).toMatchObject({ kind: 'corrupt' });
  });

  it.each([
    ['number', 0],
    ['number', 1.5],
    ['number', '42'],
    ['token', '0123456789ABCDEF'],
    ['token', '0123456789abcde'],
    ['updated_at', 'now'],
    ['reason', ''],
    ['reason', null],
    ['payload', ''],
    ['payload', 7],
    ['payload', 'a\0b'],
    ...OUTSIDE.map((payload): [string, string] => ['payload', payload]),
  ])('is corrupt with %s %j', (field, value) => {
    const read = decodePointer({ ...pointer, [field]: value });
    expect(read).toMatchObject({ kind: 'corrupt', detail: expect.stringContaining(`expected ${field} to be`) });
  });
});

describe('the payload', () => {
  it('is a directory below the index, wherever that lies', () => {
    const directory = indexWithPayload();
    expect(resolvePayload(directory, pointer)).toBe(join(directory, 'payloads/gen-42'));
    symlinkSync(directory, `${directory}/payloads/link`);
    expect(resolvePayload(join(directory, 'payloads/link'), pointer)).toBe(join(directory, 'payloads/gen-42'));
  });

  it.each(OUTSIDE)('is refused at %j', (payload) => {
    const act = () => resolvePayload(indexWithPayload(), { ...pointer, payload });
    expect(act).toThrow(PayloadError);
    expect(act).toThrow(/not below the index directory/);
  });

  it('is refused where a link leads outside', () => {
    const parent = temporaryDirectory();
    const directory = join(parent, 'index');
    mkdirSync(join(directory, 'payloads'), { recursive: true });
    // the second is outside too, though its name begins like the index's
    for (const outside of ['elsewhere', 'index-twin']) {
      mkdirSync(join(parent, outside));
      symlinkSync(join(parent, outside), join(directory, 'payloads/gen-42'));
      expect(() => resolvePayload(directory, pointer)).toThrow(expect.objectContaining({ kind: 'outside' }));
      rmSync(join(directory, 'payloads/gen-42'));
    }
    mkdirSync(join(parent, 'elsewhere/gen-42'));
    rmSync(join(directory, 'payloads'), { recursive: true });
    symlinkSync(join(parent, 'elsewhere'), join(directory, 'payloads'));
    expect(() => resolvePayload(directory, pointer)).toThrow(expect.objectContaining({ kind: 'outside' }));
  });

  it('is missed with a word on what to do', () => {
    const directory = indexWithPayload();
    rmSync(join(directory, 'payloads'), { recursive: true });
    const act = () => resolvePayload(directory, pointer);
    expect(act).toThrow(expect.objectContaining({ kind: 'missing' }));
    expect(act).toThrow(/generation 42 names "payloads\/gen-42", which is gone; run `woods extract`/);
    writeFileSync(join(directory, 'payloads'), '');
    expect(act).toThrow(expect.objectContaining({ kind: 'missing' }));
    expect(existsSync(pointerPath(directory))).toBe(false);
  });
});
