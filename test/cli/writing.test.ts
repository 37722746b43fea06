/** `woods extract` and `woods incremental`: runs under the writer lock. */
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireWriterLock } from '@woods/index';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeProject, removeProjects, save } from '../support/project.ts';
import { endAll, start } from '../support/running.ts';
import { describeWithTools } from '../support/tools.ts';
import { inProcess } from './support/in-process.ts';
import { objectOn, shapeOf } from './support/json.ts';
import { indexOf, writeWorker } from './support/status.ts';
import { environment, shell, WOODS, woods } from './support/woods.ts';

let root = '';
beforeEach(() => {
  root = makeProject();
});
afterEach(() => {
  endAll();
  removeProjects();
});

const canonical = async () => (await inProcess(['export', '--canonical'], { cwd: root })).stdout;

describe('woods extract', () => {
  it('publishes a generation, and leaves the one that stands when nothing changed', async () => {
    const first = await woods(['extract'], { cwd: root });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /^published generation 1 in .*: \d+ files \(2 skipped\), \d+ units, \d+ edges; \d+ files recorded, 0 removed\n/,
    );
    const second = await woods(['extract'], { cwd: join(root, 'src') });
    expect(second.stdout).toMatch(/generation [12]\b/);
    expect((await woods(['validate'], { cwd: root })).code).toBe(0);
  });

  it.each([
    ['a torn pointer', () => writeFileSync(join(indexOf(root), 'generation.json'), '{"number": 1')],
    ['a payload that is gone', () => rmSync(join(indexOf(root), 'payloads'), { recursive: true })],
    ['a manifest that is no JSON', () => writeFileSync(join(indexOf(root), 'payloads/gen-1/manifest.json'), '?')],
  ])('heals %s', async (_, damage) => {
    await inProcess(['extract'], { cwd: root });
    damage();
    expect((await inProcess(['validate'], { cwd: root })).code).toBe(1);
    expect((await inProcess(['extract'], { cwd: root })).stdout).toMatch(/^published generation \d+ /);
    expect((await inProcess(['validate'], { cwd: root })).code).toBe(0);
    expect((await inProcess(['lookup', 'ripeness'], { cwd: root })).code).toBe(0);
  });

  it('prints its phases with WOODS_PROFILE=1, and their sum', async () => {
    const { stderr } = await woods(['extract'], { cwd: root, env: { WOODS_PROFILE: '1' } });
    const times = Array.from(
      stderr.matchAll(/^woods: (\w+): (-?[\d.]+) ms$/gm),
      ([, name, ms]) => [name, Number(ms)] as const,
    );
    const total = times.pop();
    expect(total?.[0]).toBe('total');
    expect(times.reduce((sum, [, ms]) => sum + ms, 0)).toBeCloseTo(total?.[1] ?? Number.NaN, -0.5);
  });

  it('has one shape of JSON, which incremental shares', async () => {
    const shape = {
      outcome: 'string',
      generation: 'number',
      files: 'number',
      units: 'number',
      edges: 'number',
      changed: 'number',
      removed: 'number',
      skipped: 'number',
      held: [],
      duration_ms: 'number',
      root: 'string',
      index: 'string',
    };
    expect(shapeOf(objectOn((await woods(['extract', '--json'], { cwd: root })).stdout))).toEqual(shape);
    expect(shapeOf(objectOn((await woods(['incremental', '--json'], { cwd: root })).stdout))).toEqual(shape);
  });
});

describe('woods incremental', () => {
  it('indexes all that differs, and what it is named, deletions included', async () => {
    expect((await inProcess(['incremental'], { cwd: root })).stdout).toMatch(/^published generation 1 /);
    save(root, 'src/care.ts', 'export function prune(): void {}\n');
    expect((await inProcess(['incremental'], { cwd: root })).stdout).toMatch(
      /^published generation 2 .*1 file recorded, 0 removed\n/,
    );
    expect((await inProcess(['incremental'], { cwd: root })).stdout).toMatch(/^nothing changed, generation 2 stands/);
    rmSync(join(root, 'src/care.ts'));
    const { stdout } = await inProcess(['incremental', 'care.ts'], { cwd: join(root, 'src') });
    expect(stdout).toMatch(/^published generation 3 .*1 removed\n/);
    const incremental = await canonical();
    await inProcess(['extract'], { cwd: root });
    expect(await canonical()).toBe(incremental);
  });

  it('refuses paths outside the root', async () => {
    const { code, stderr } = await inProcess(['incremental', '../elsewhere.ts'], { cwd: root });
    expect(code).toBe(2);
    expect(stderr).toMatch(/expected paths below the root ".*", found "\.\.\/elsewhere\.ts"/);
  });

  it('stands down while a worker runs, and only then', async () => {
    writeWorker(root);
    const { code, stdout, stderr } = await inProcess(['incremental', '--json'], { cwd: root });
    expect(code).toBe(0);
    expect(objectOn(stdout)).toMatchObject({ outcome: 'stood_down', worker_pid: process.pid, generation: 1 });
    expect(stderr).toMatch(/stood down: the worker \(pid \d+\) is running and covers this tree; WOODS_IGNORE_WATCH=1/);
    const forced = await inProcess(['incremental', '--json'], { cwd: root, env: { WOODS_IGNORE_WATCH: '1' } });
    expect(objectOn(forced.stdout)).toMatchObject({ outcome: 'published' });
    writeWorker(root, { state: 'degraded', reason: 'held' });
    expect((await inProcess(['incremental'], { cwd: root })).stdout).toMatch(/^nothing changed/);
  });
});

describe('the writer lock', () => {
  it('that names nobody is waited for some seconds only, and that is said', async () => {
    (await acquireWriterLock(indexOf(root), { name: 'a test', waitMs: 0 })).release();
    const path = join(indexOf(root), 'extraction.lock');
    writeFileSync(path, '');
    const soon = Date.now() / 1000 + 3600;
    utimesSync(path, soon, soon);
    const young = await woods(['extract'], { cwd: root, env: { WOODS_LOCK_WAIT: '0.1' } });
    expect(young.code).toBe(1);
    expect(young.stderr).toMatch(/waiting up to 100 ms while extraction\.lock names nobody: it is taken away in 5 s/);
    const old = Date.now() / 1000 - 6;
    utimesSync(path, old, old);
    expect((await woods(['extract'], { cwd: root, env: { WOODS_LOCK_WAIT: '0' } })).code).toBe(0);
  });

  it('is waited for up to WOODS_LOCK_WAIT, said once, and then the code is 1', async () => {
    const lock = await acquireWriterLock(indexOf(root), { name: 'a test', waitMs: 0 });
    try {
      const { code, stdout, stderr } = await woods(['extract'], { cwd: root, env: { WOODS_LOCK_WAIT: '0.4' } });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr.match(/waiting up to 400 ms for a test \(pid \d+\), which writes this index now/g)).toHaveLength(1);
      expect(stderr).toMatch(/is being written by a test \(pid \d+/);
      const json = await woods(['incremental', '--json'], { cwd: root, env: { WOODS_LOCK_WAIT: '0' } });
      expect(objectOn(json.stdout)).toMatchObject({ error: { code: 'locked' } });
    } finally {
      lock.release();
    }
  });

  it('is taken as soon as it is free', async () => {
    const lock = await acquireWriterLock(indexOf(root), { name: 'a test', waitMs: 0 });
    const running = start(process.execPath, [WOODS, 'extract'], { cwd: root, env: environment() });
    await running.line(/waiting up to 10 min for a test/);
    lock.release();
    expect(await running.exit).toEqual({ code: 0, signal: null });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s while waiting ends by the signal, and the next run works',
    async (signal) => {
      const lock = await acquireWriterLock(indexOf(root), { name: 'a test', waitMs: 0 });
      const running = start(process.execPath, [WOODS, 'extract'], { cwd: root, env: environment() });
      await running.line(/waiting up to/);
      running.signal(signal);
      expect(await running.exit).toEqual({ code: null, signal });
      lock.release();
      expect((await woods(['extract'], { cwd: root })).code).toBe(0);
    },
  );

  it('a shell sees 130 after Ctrl-C', async () => {
    const lock = await acquireWriterLock(indexOf(root), { name: 'a test', waitMs: 0 });
    const line = `"${process.execPath}" "${WOODS}" extract 2>/dev/null & child=$!; sleep 1; kill -INT $child; wait $child; echo $?`;
    // a shell without job control starts background jobs deaf to INT; `exec` through env gives the signal back
    const { stdout } = await shell(line.replace('"', 'env --default-signal=INT "'), { cwd: root });
    lock.release();
    expect(stdout).toBe('130\n');
  });
});

describeWithTools('progress', ['script'], () => {
  it('is shown on a terminal, and taken away', async () => {
    const { stdout } = await shell(`script -qec "woods extract" /dev/null`, { cwd: root });
    expect(stdout).toContain('\r\u001b[2Kwoods extract: 5 of 5 files; linking and publishing');
    expect(stdout).toContain('\r\u001b[2Kpublished generation 1 ');
    expect((await woods(['extract'], { cwd: root })).stderr).not.toContain('\u001b');
  });
});
