import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { encodePath, nativePath } from '../../packages/watch/src/bytes/path.ts';
import { openIgnore } from '../../packages/watch/src/ignore/rules.ts';
import { scanTree, type TreeScan } from '../../packages/watch/src/scan/tree.ts';
import { optionsFor, temporaryDirectory, tree, write } from './support/tree.ts';

const withoutKinds = vi.hoisted(() => ({ on: false }));

vi.mock('node:fs', async (importActual) => {
  const actual = await importActual<typeof import('node:fs')>();
  const readdirSync = (...args: Parameters<typeof actual.readdirSync>): unknown => {
    if (withoutKinds.on && typeof args[1] === 'object' && args[1]?.withFileTypes === true) {
      throw Object.assign(new TypeError('as Node does when a file system records no kinds'), {
        code: 'ERR_INVALID_ARG_TYPE',
      });
    }
    return actual.readdirSync(...args);
  };
  return { ...actual, readdirSync };
});

function scan(root: string): TreeScan {
  return scanTree({ root, ignore: openIgnore(optionsFor(root)) });
}

function kinds(root: string): Record<string, string> {
  return Object.fromEntries(scan(root).files.map(({ path, kind }) => [path, kind]));
}

describe('scanTree', () => {
  it('names files, links and the rest, and follows no link', async () => {
    const root = tree({ 'a.ts': 'text', 'dir/b.ts': '' });
    symlinkSync('.', join(root, 'loop'));
    symlinkSync('/nowhere', join(root, 'dir/dangling'));
    spawnSync('sh', ['-c', 'mkfifo fifo'], { cwd: root });
    const server = createServer().listen(join(root, 'socket'));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const expected = {
      'a.ts': 'file',
      'dir/b.ts': 'file',
      'dir/dangling': 'link',
      fifo: 'other',
      loop: 'link',
      socket: 'other',
    };
    expect(kinds(root)).toEqual(expected);
    withoutKinds.on = true;
    onTestFinished(() => {
      withoutKinds.on = false;
    });
    expect(kinds(root)).toEqual(expected);
  });

  it('keeps names as they are', () => {
    const names = [
      'new\nline',
      'tab\there',
      '"quotes"\'',
      ' ',
      'caf\xe9',
      '\xff\xfe',
      encodePath('é'),
      encodePath('e\u0301'),
    ];
    const root = tree();
    for (const name of names) writeFileSync(nativePath(`${encodePath(root)}/${name}`), '');
    mkdirSync(nativePath(`${encodePath(root)}/d\xe9`));
    writeFileSync(nativePath(`${encodePath(root)}/d\xe9/\xe9.ts`), '');
    expect(
      scan(root)
        .files.map(({ path }) => path)
        .sort(),
    ).toEqual([...names, 'd\xe9/\xe9.ts'].sort());
    withoutKinds.on = true;
    onTestFinished(() => {
      withoutKinds.on = false;
    });
    expect(scan(root).files).toHaveLength(names.length + 1);
  });

  it('works below a root whose name is not ASCII', () => {
    const root = join(temporaryDirectory(), 'größe 日本');
    write(root, 'a.ts', 'x');
    expect(scan(root).files).toMatchObject([{ path: 'a.ts', size: 1 }]);
  });

  it('goes as deep as the system lets it', () => {
    const root = tree();
    const path = Array.from({ length: 200 }, () => 'd').join('/');
    write(root, `${path}/x.ts`);
    expect(scan(root).files.map((file) => file.path)).toEqual([`${path}/x.ts`]);
  });

  it('finds 5,000 files', () => {
    const root = tree();
    for (let n = 0; n < 5_000; n += 1) write(root, `d${n % 50}/f${n}.ts`);
    const result = scan(root);
    expect(new Set(result.files.map(({ path }) => path)).size).toBe(5_000);
    expect(result.skipped).toEqual([]);
    expect(result.startedNs).toBeLessThanOrEqual(result.endedNs);
  });

  it('takes a root that is gone or a file for an error, not for an empty tree', () => {
    const root = tree({ 'a.ts': '' });
    const ignore = openIgnore(optionsFor(root));
    rmSync(root, { recursive: true });
    expect(() => scanTree({ root, ignore })).toThrow(/ENOENT/);
    writeFileSync(root, '');
    expect(() => scanTree({ root, ignore })).toThrow(/ENOTDIR/);
  });

  it('stops when asked and hands nothing back', () => {
    const root = tree({ 'a/b.ts': '', 'c/d.ts': '' });
    let asked = 0;
    const stopAtSecond = (): boolean => {
      asked += 1;
      return asked === 2;
    };
    expect(() => scanTree({ root, ignore: openIgnore(optionsFor(root)), shouldStop: stopAtSecond })).toThrow('stopped');
  });

  it('skips with the reason what it may not read, and goes on', () => {
    const root = mkdtempSync(join(tmpdir(), 'woods-unreadable-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    write(root, 'open/a.ts');
    write(root, 'shut/b.ts');
    write(root, 'blind/c.ts');
    for (const [path, mode] of [
      ['', 0o755],
      ['open', 0o755],
      ['shut', 0o700],
      ['blind', 0o744],
    ] as const) {
      chmodSync(join(root, path), mode);
    }
    const result = scanAsNobody(root);
    expect(result.files).toEqual(['open/a.ts']);
    expect(result.skipped.sort((a, b) => a.path.localeCompare(b.path))).toEqual([
      { path: 'blind/c.ts', reason: 'EACCES' },
      { path: 'shut', reason: 'EACCES' },
    ]);
  });
});

/** Root may read all, so the compiled scan runs as somebody who may not; without root, as we are, after taking our own rights. */
function scanAsNobody(root: string): { files: string[]; skipped: { path: string; reason: string }[] } {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) {
    chmodSync(join(root, 'shut'), 0o000);
    chmodSync(join(root, 'blind'), 0o400);
    onTestFinished(() => {
      for (const path of ['shut', 'blind']) chmodSync(join(root, path), 0o700);
    });
  }
  const dist = new URL('../../packages/watch/dist/', import.meta.url).href;
  const program = `
    const { scanTree } = await import('${dist}scan/tree.js');
    const { openIgnore } = await import('${dist}ignore/rules.js');
    const root = ${JSON.stringify(root)};
    const ignore = openIgnore({ root, indexDir: root + '/tmp/woods', include: [], exclude: [] });
    const { files, skipped } = scanTree({ root, ignore });
    console.log(JSON.stringify({ files: files.map(({ path }) => path), skipped }));`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    ...(isRoot ? { uid: 65534, gid: 65534 } : {}),
  });
  expect(run.stderr).toBe('');
  return JSON.parse(run.stdout);
}
