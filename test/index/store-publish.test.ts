import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { readPointer, UsageError } from '@woods/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { openReader } from '../../packages/index/src/read/index.ts';
import { linkOrCopy } from '../../packages/index/src/store/generation/files.ts';
import { loadPublished } from '../../packages/index/src/store/index.ts';
import { validateIndex } from '../../packages/index/src/validate/index.ts';
import { fileBlock, publish, removeIndexDirs, temporaryIndexDir } from './support/store-blocks.ts';

afterEach(removeIndexDirs);

const payloads = (indexDir: string) => readdirSync(join(indexDir, 'payloads')).sort();
const modeOf = (path: string) => lstatSync(path).mode & 0o777;

describe('publishing', () => {
  it('makes the index directory, which git ignores, with the modes of the protocol', async () => {
    const indexDir = temporaryIndexDir();
    const before = process.umask(0o077);
    try {
      await publish(indexDir, [fileBlock('a.ts')]);
    } finally {
      process.umask(before);
    }
    expect(readFileSync(join(indexDir, '.gitignore'), 'utf8')).toBe('*\n');
    expect(modeOf(indexDir)).toBe(0o755);
    const payload = join(indexDir, 'payloads', 'gen-1');
    const files = [join(indexDir, 'generation.json'), ...readdirSync(payload).map((name) => join(payload, name))];
    expect(files).toHaveLength(4);
    for (const path of files) expect(modeOf(path)).toBe(0o600);
  });

  it('refuses a directory that has contents of its own, and leaves it as it is', async () => {
    const indexDir = temporaryIndexDir();
    mkdirSync(indexDir);
    writeFileSync(join(indexDir, 'notes.txt'), 'mine');
    await expect(publish(indexDir, [fileBlock('a.ts')])).rejects.toThrow(
      /must be empty or one that Woods made, but it holds notes\.txt/,
    );
    expect(readdirSync(indexDir)).toEqual(['notes.txt']);
  });

  it('counts up, names its payload, and leaves the segments of before as second names of the same files', async () => {
    const indexDir = temporaryIndexDir();
    await publish(indexDir, [fileBlock('a.ts', { units: ['x'] }), fileBlock('b.ts')]);
    const { pointer, payloadDir, afterthought } = await publish(indexDir, [fileBlock('b.ts', { version: 1 })]);
    expect(pointer).toMatchObject({ number: 2, payload: 'payloads/gen-2', reason: 'test' });
    expect(readPointer(indexDir)).toEqual({ kind: 'ok', value: pointer });
    expect(afterthought).toBeNull();
    const first = readdirSync(join(indexDir, 'payloads/gen-1')).filter((name) => name.startsWith('s1-'));
    expect(first).toHaveLength(2);
    for (const name of first) {
      expect(statSync(join(payloadDir, name)).ino).toBe(statSync(join(indexDir, 'payloads/gen-1', name)).ino);
    }
    expect(readdirSync(payloadDir).filter((name) => name.startsWith('s2-'))).toHaveLength(2);
  });

  it('writes no segment when only the held files changed', async () => {
    const indexDir = temporaryIndexDir();
    await publish(indexDir, [fileBlock('a.ts')]);
    const held = [{ path: 'a.ts', line: 3, reason: 'unexpected token', since: '2026-01-01T00:00:00Z' }];
    const manifest = { reason: 'held', root: '/r', configFingerprint: 'f', git: null, held };
    const { payloadDir } = await publish(indexDir, [], { manifest });
    expect(readdirSync(payloadDir).filter((name) => name.startsWith('s2-'))).toEqual([]);
    expect(openReader(indexDir).held()).toEqual(held);
  });

  it('writes nothing for a path that it has not, when that is removed', async () => {
    const indexDir = temporaryIndexDir();
    await publish(indexDir, [fileBlock('a.ts')]);
    await publish(indexDir, [], { removed: ['never/there.ts'] });
    expect(openReader(indexDir).manifest().segments).toHaveLength(1);
  });

  it('drops a segment whose files were all replaced', async () => {
    const indexDir = temporaryIndexDir();
    await publish(indexDir, [fileBlock('a.ts'), fileBlock('b.ts')]);
    await publish(indexDir, [fileBlock('a.ts', { version: 1 }), fileBlock('b.ts', { version: 1 })]);
    const { segments } = openReader(indexDir).manifest();
    expect(segments.map(({ name }) => name.slice(0, 3))).toEqual(['s2-']);
  });

  it('keeps the generations that were asked for', async () => {
    const indexDir = temporaryIndexDir();
    for (let version = 0; version < 6; version += 1) await publish(indexDir, [fileBlock('a.ts', { version })]);
    expect(payloads(indexDir)).toEqual(['gen-4', 'gen-5', 'gen-6']);
    await publish(indexDir, [], { retention: 1 });
    expect(payloads(indexDir)).toEqual(['gen-7']);
  });

  it('removes what a killed publisher left above the current generation', async () => {
    const indexDir = temporaryIndexDir();
    await publish(indexDir, [fileBlock('a.ts')]);
    for (const left of ['gen-2', 'gen-9']) {
      mkdirSync(join(indexDir, 'payloads', left));
      writeFileSync(join(indexDir, 'payloads', left, 'manifest.json'), '{');
    }
    await publish(indexDir, [fileBlock('b.ts')]);
    expect(payloads(indexDir)).toEqual(['gen-1', 'gen-2']);
    expect(validateIndex(indexDir)).toEqual({ findings: [], generation: 2 });
  });

  it('goes on from a corrupt pointer with everything, above every payload that is there', async () => {
    const indexDir = temporaryIndexDir();
    await publish(indexDir, [fileBlock('a.ts')]);
    await publish(indexDir, [fileBlock('b.ts')]);
    writeFileSync(join(indexDir, 'generation.json'), '{"number":');
    expect(loadPublished(indexDir)).toMatchObject({ kind: 'none', reason: expect.stringContaining('generation.json') });
    const { pointer } = await publish(indexDir, [fileBlock('c.ts')]);
    expect(pointer.number).toBe(3);
    const paths = openReader(indexDir)
      .files()
      .map(({ path }) => path);
    expect(paths).toEqual(['c.ts']);
  });

  it('takes a payload that is gone for no index', async () => {
    const indexDir = temporaryIndexDir();
    const { payloadDir } = await publish(indexDir, [fileBlock('a.ts')]);
    rmSync(payloadDir, { recursive: true });
    expect(loadPublished(indexDir)).toMatchObject({ kind: 'none', reason: expect.stringContaining('gone') });
    const { pointer } = await publish(indexDir, [fileBlock('b.ts')], { previous: null });
    expect(pointer.number).toBe(2);
    expect(validateIndex(indexDir).findings).toEqual([]);
  });

  it('refuses to change a generation that is not current any more', async () => {
    const indexDir = temporaryIndexDir();
    const { pointer } = await publish(indexDir, [fileBlock('a.ts')]);
    await publish(indexDir, [fileBlock('b.ts')], { previous: pointer });
    await expect(publish(indexDir, [fileBlock('c.ts')], { previous: pointer })).rejects.toMatchObject({
      code: 'stale_index',
    });
    expect(payloads(indexDir)).toEqual(['gen-1', 'gen-2']);
  });

  it('never publishes a change as a whole: a generation that was damaged since it was loaded stops it', async () => {
    const indexDir = temporaryIndexDir();
    const { pointer, payloadDir } = await publish(indexDir, [fileBlock('a.ts')]);
    writeFileSync(join(payloadDir, 'manifest.json'), 'x');
    await expect(publish(indexDir, [fileBlock('b.ts')], { previous: pointer })).rejects.toMatchObject({
      code: 'corrupt_artifact',
    });
    expect(readPointer(indexDir)).toEqual({ kind: 'ok', value: pointer });
  });

  it('publishes nothing when the writer lock was lost on the way', async () => {
    const indexDir = temporaryIndexDir();
    const { pointer } = await publish(indexDir, [fileBlock('a.ts')]);
    const lock = {
      touch: () => {
        throw new Error('the lock was lost');
      },
    };
    const lost = publish(indexDir, [fileBlock('b.ts')], { lock });
    await expect(lost).rejects.toThrow(/generation 2 was not published.*lost/);
    expect(readPointer(indexDir)).toEqual({ kind: 'ok', value: pointer });
    expect(payloads(indexDir)).toEqual(['gen-1']);
  });

  it('copies where a file cannot have a second name', () => {
    const indexDir = temporaryIndexDir();
    mkdirSync(indexDir);
    const [from, to] = [join(indexDir, 'from'), join(indexDir, 'to')];
    writeFileSync(from, 'text');
    const refuse = (): never => {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    };
    expect(linkOrCopy(from, to, refuse)).toBe('copied');
    expect(readFileSync(to, 'utf8')).toBe('text');
    expect(statSync(to).ino).not.toBe(statSync(from).ino);
    expect(linkOrCopy(from, `${to}2`, linkSync)).toBe('linked');
    expect(() => linkOrCopy(join(indexDir, 'none'), `${to}3`)).toThrow(/ENOENT/);
  });
});

describe('an index directory that is not one', () => {
  it('is a usage error that says what was found', async () => {
    const indexDir = temporaryIndexDir();
    writeFileSync(indexDir, 'a file');
    await expect(publish(indexDir, [])).rejects.toThrow(UsageError);
    await expect(publish(indexDir, [])).rejects.toThrow(/must be a directory, but it is a file/);
    await expect(publish(join(indexDir, 'below'), [])).rejects.toThrow(/a part of the path is a file/);
    expect(readFileSync(indexDir, 'utf8')).toBe('a file');
  });

  it('is never followed as a link, nor is its payloads directory', async () => {
    const indexDir = temporaryIndexDir();
    const elsewhere = join(dirname(indexDir), 'elsewhere');
    mkdirSync(join(elsewhere, 'gen-7'), { recursive: true });
    symlinkSync(elsewhere, indexDir);
    await expect(publish(indexDir, [])).rejects.toThrow(/it is a symbolic link/);
    const second = temporaryIndexDir();
    await publish(second, []);
    rmSync(join(second, 'payloads'), { recursive: true });
    symlinkSync(elsewhere, join(second, 'payloads'));
    await expect(publish(second, [])).rejects.toThrow(/payloads must be a directory, but it is a symbolic link/);
    expect(readdirSync(elsewhere)).toEqual(['gen-7']);
  });

  it.skipIf(process.getuid?.() === 0)('is a usage error where it cannot be made', async () => {
    const indexDir = temporaryIndexDir();
    chmodSync(dirname(indexDir), 0o500);
    try {
      await expect(publish(indexDir, [])).rejects.toThrow(/cannot be made.*EACCES/);
    } finally {
      chmodSync(dirname(indexDir), 0o700);
    }
  });
});
