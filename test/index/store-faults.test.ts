import { execFileSync } from 'node:child_process';
import { accessSync, chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPointer } from '@woods/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { openReader } from '../../packages/index/src/read/index.ts';
import { mergeIfNeeded } from '../../packages/index/src/store/index.ts';
import { validateIndex } from '../../packages/index/src/validate/index.ts';
import { endAll, start } from '../support/running.ts';
import { fileBlock, publish, removeIndexDirs, temporaryIndexDir } from './support/store-blocks.ts';
import { withFailingChange } from './support/store-full-disk.ts';

const CHILD = fileURLToPath(new URL('support/store-child.mjs', import.meta.url));
const isRoot = process.getuid?.() === 0;
const mounts: string[] = [];

afterEach(() => {
  endAll();
  for (const mount of mounts.splice(0)) execFileSync('umount', [mount]);
  removeIndexDirs();
});

/** Three small segments and a merge of them that waits, so that a publish has all there is to do. */
async function busyIndex(): Promise<string> {
  const indexDir = temporaryIndexDir();
  for (let version = 0; version < 4; version += 1) {
    await publish(indexDir, [fileBlock(`${version}.ts`, { units: ['x'] })]);
  }
  expect(await mergeIfNeeded({ indexDir, maxSegments: 3 })).toBeGreaterThan(0);
  return indexDir;
}

describe('a publish that fails', () => {
  it.each(['ENOSPC', 'EPERM'])(
    'at any call (%s) leaves the last generation and no rests',
    { timeout: 120_000 },
    async (code) => {
      const template = await busyIndex();
      const before = readPointer(template);
      const outcomes = new Set<string>();
      for (let call = 1; ; call += 1) {
        const indexDir = temporaryIndexDir();
        cpSync(template, indexDir, { recursive: true });
        const { failed, result } = await withFailingChange(call, code, () => publish(indexDir, [fileBlock('new.ts')]));
        outcomes.add(result.status);
        expect(validateIndex(indexDir).findings).toEqual([]);
        if (result.status === 'rejected') {
          expect(result.reason).toMatchObject({ message: expect.stringContaining(code) });
          expect(readPointer(indexDir)).toEqual(before);
          expect(readdirSync(join(indexDir, 'payloads'))).toEqual(['gen-2', 'gen-3', 'gen-4']);
        } else {
          expect(openReader(indexDir).generation().number).toBe(5);
        }
        const next = await publish(indexDir, [fileBlock('next.ts')]);
        expect(next.pointer.number).toBe(result.status === 'rejected' ? 5 : 6);
        expect(validateIndex(indexDir).findings).toEqual([]);
        rmSync(dirname(indexDir), { recursive: true });
        if (!failed) break;
        expect(call).toBeLessThan(200);
      }
      expect(outcomes).toEqual(new Set(['rejected', 'fulfilled']));
    },
  );

  it('at any call of a merge leaves the generation, and the next merge works', { timeout: 120_000 }, async () => {
    const template = temporaryIndexDir();
    for (let version = 0; version < 4; version += 1) await publish(template, [fileBlock(`${version}.ts`)]);
    for (let call = 1; ; call += 1) {
      const indexDir = temporaryIndexDir();
      cpSync(template, indexDir, { recursive: true });
      const merge = () => mergeIfNeeded({ indexDir, maxSegments: 3 });
      const { failed, result } = await withFailingChange(call, 'ENOSPC', merge);
      expect(validateIndex(indexDir)).toEqual({ findings: [], generation: 4 });
      if (result.status === 'rejected') expect(existsSync(join(indexDir, 'merge'))).toBe(false);
      expect(await merge()).toBeGreaterThan(0);
      await publish(indexDir, []);
      expect(openReader(indexDir).manifest().segments.length).toBeLessThan(4);
      if (!failed) break;
      expect(call).toBeLessThan(200);
    }
  });

  it('says what is full, in a real process with a bound on the size of files', async () => {
    const indexDir = temporaryIndexDir();
    await publish(indexDir, [fileBlock('a.ts')]);
    const before = readPointer(indexDir);
    const child = start(
      '/bin/sh',
      ['-c', 'ulimit -f 64; exec "$@"', 'sh', process.execPath, CHILD, 'publish-once', indexDir, '200000'],
      {
        cwd: dirname(indexDir),
      },
    );
    expect(await child.line(/Error|published/)).toMatch(/^PublishError EFBIG: generation 2 was not published: EFBIG/);
    await child.exit;
    expect(readPointer(indexDir)).toEqual(before);
    expect(readdirSync(join(indexDir, 'payloads'))).toEqual(['gen-1']);
    expect(validateIndex(indexDir)).toEqual({ findings: [], generation: 1 });
  });
});

describe.skipIf(!canMount())('on a file system of its own (needs the right to mount)', () => {
  it('a full disk stops a publish, and room lets the next one through', async () => {
    const indexDir = temporaryIndexDir();
    mountAt(indexDir, 'size=256k');
    await publish(indexDir, [fileBlock('a.ts')]);
    const before = readPointer(indexDir);
    const large = publish(indexDir, [fileBlock('a.ts', { source: 'x'.repeat(400_000) })]);
    await expect(large).rejects.toMatchObject({ name: 'PublishError', errno: 'ENOSPC' });
    expect(readPointer(indexDir)).toEqual(before);
    expect(validateIndex(indexDir)).toEqual({ findings: [], generation: 1 });
    const { pointer } = await publish(indexDir, [fileBlock('a.ts', { source: 'x'.repeat(10_000) })]);
    expect(pointer.number).toBe(2);
  });

  it('one that is read-only stops a publish and is read as ever', async () => {
    const indexDir = temporaryIndexDir();
    mountAt(indexDir, 'size=1m');
    await publish(indexDir, [fileBlock('a.ts')]);
    execFileSync('mount', ['-o', 'remount,ro', indexDir]);
    await expect(publish(indexDir, [fileBlock('b.ts')])).rejects.toThrow(/was not published: EROFS/);
    const reader = openReader(indexDir);
    expect(reader.pinned((queries, hold) => [hold.state, queries.generation().number])).toEqual(['pinned', 1]);
    execFileSync('mount', ['-o', 'remount,rw', indexDir]);
    expect((await publish(indexDir, [fileBlock('b.ts')])).pointer.number).toBe(2);
  });
});

describe.skipIf(!isRoot || !isReadableByAll())(
  'for a user without the right to write (needs root to become one)',
  () => {
    const nobody = 65534;

    it('a publish says so and leaves the generation', async () => {
      const indexDir = temporaryIndexDir();
      await publish(indexDir, [fileBlock('a.ts')]);
      const before = readPointer(indexDir);
      chmodSync(dirname(indexDir), 0o755);
      execFileSync('chown', ['-R', `${nobody}`, indexDir]);
      chmodSync(indexDir, 0o555);
      chmodSync(join(indexDir, 'payloads'), 0o555);
      const child = start(
        'setpriv',
        ['--reuid', `${nobody}`, '--clear-groups', process.execPath, CHILD, 'publish-once', indexDir, '100'],
        {
          cwd: '/',
        },
      );
      expect(await child.line(/Error|published/)).toMatch(
        /^PublishError EACCES: generation 2 was not published: EACCES/,
      );
      await child.exit;
      expect(readPointer(indexDir)).toEqual(before);
    });

    it('an index directory that cannot be made is a usage error', async () => {
      const parent = dirname(temporaryIndexDir());
      chmodSync(parent, 0o555);
      chownSync(parent, nobody, nobody);
      const child = start(
        'setpriv',
        [
          '--reuid',
          `${nobody}`,
          '--clear-groups',
          process.execPath,
          CHILD,
          'publish-once',
          join(parent, 'index'),
          '100',
        ],
        {
          cwd: '/',
        },
      );
      expect(await child.line(/Error|published/)).toMatch(
        /^UsageError : the index directory .* cannot be made: EACCES/,
      );
      await child.exit;
    });
  },
);

function canMount(): boolean {
  if (!isRoot || process.platform !== 'linux') return false;
  const probe = join(dirname(temporaryIndexDir()), 'probe');
  try {
    mkdirSync(probe);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe], { stdio: 'ignore' });
    execFileSync('umount', [probe]);
    return true;
  } catch {
    return false;
  } finally {
    removeIndexDirs();
  }
}

function mountAt(indexDir: string, options: string): void {
  mkdirSync(indexDir);
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', indexDir]);
  mounts.push(indexDir);
}

/** Whether another user can run our own child, which needs every directory above it. */
function isReadableByAll(): boolean {
  try {
    execFileSync('setpriv', ['--reuid', '65534', '--clear-groups', process.execPath, '--version'], { stdio: 'ignore' });
    execFileSync('setpriv', ['--reuid', '65534', '--clear-groups', 'cat', CHILD], { stdio: 'ignore' });
    accessSync(CHILD);
    return true;
  } catch {
    return false;
  }
}
