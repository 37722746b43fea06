/** Real workers on real trees, as a supervisor and a person see them. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { acquireWriterLock } from '@woods/index';
import type { ChildEvent } from '@woods/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { makeProject, removeProjects, save } from '../support/project.ts';
import { until } from '../support/until.ts';
import { generationOf, generationReaches, indexOf, pointerOf, statusBecomes, statusOf } from './support/index-place.ts';
import { endWorkers, type StartOptions, startWorker, type WorkerProcess } from './support/worker-process.ts';

afterEach(() => {
  endWorkers();
  removeProjects();
});

const polling = ['--interval', '0.05'];
const USUAL_BACKEND = process.platform === 'linux' ? 'inotify' : 'polling';
const start = (root: string, options: Omit<StartOptions, 'root'> = {}) =>
  startWorker({ root, args: polling, ...options });
const managed = (root: string, options: Omit<StartOptions, 'root'> = {}) =>
  start(root, { run: 'descriptor', ...options });

async function ready(worker: WorkerProcess): Promise<WorkerProcess> {
  await worker.line(/ready: generation/);
  return worker;
}

const named = (events: readonly ChildEvent[]) =>
  events.map((event) => ('reason' in event ? `${event.event} ${event.reason}` : event.event));
const isReady = (event: ChildEvent) => event.event === 'startup' && event.state === 'ready';
const isDegraded = (event: ChildEvent) => event.event === 'startup' && event.state === 'degraded';
const BROKEN = 'export const fine = 1;\nexport function broken( {\n';

describe('a managed worker', () => {
  it.each(['descriptor', 'socket'] as const)(
    'tells its life in order over a %s, and ends at TERM with 0',
    async (run) => {
      const root = makeProject();
      const worker = await start(root, { run });
      expect(await worker.record(isReady)).toMatchObject({ generation: 1, reason: 'reconciled' });
      expect(worker.records()).toEqual([
        { event: 'task_loaded', woods_version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
        { event: 'identity', root, index: indexOf(root) },
        { event: 'backend_ready' },
        { event: 'startup', state: 'ready', generation: 1, reason: 'reconciled' },
      ]);
      worker.signal('SIGTERM');
      expect(await worker.exit).toEqual({ code: 0, signal: null });
      expect(worker.records().at(-1)).toEqual({ event: 'terminal', reason: 'stopped' });
      expect(statusOf(root)).toMatchObject({ state: 'stopped', generation: 1, pid: worker.pid });
      expect(
        ['extraction.lock', 'watch_claim.json', 'watch_pending.json'].filter((name) =>
          existsSync(join(indexOf(root), name)),
        ),
      ).toEqual([]);
    },
  );

  it('publishes every save, also of new and removed files', async () => {
    const root = makeProject();
    const worker = await ready(await managed(root));
    save(root, 'src/tree.ts', 'export const apple = 1;\n');
    await generationReaches(root, 2);
    save(root, 'src/new/deep/leaf.ts', 'export const leaf = 1;\n');
    await generationReaches(root, 3);
    unlinkSync(join(root, 'src/new/deep/leaf.ts'));
    await generationReaches(root, 4);
    const status = await statusBecomes(root, 'generation 4', ({ generation }) => generation === 4);
    expect(status).toMatchObject({
      state: 'running',
      detail: { backend: USUAL_BACKEND, batch: 1, pending: 0, held: [] },
    });
    expect(worker.records().filter(isReady)).toHaveLength(1);
  });

  it('asks for a restart when package.json is edited, and comes up with it as it is now', async () => {
    const root = makeProject();
    const first = await ready(await managed(root));
    const text = readFileSync(join(root, 'package.json'), 'utf8');
    save(root, 'package.json', text);
    save(root, 'src/tree.ts', 'export const apple = 1;\n');
    await generationReaches(root, 2);
    expect(first.records().some(isDegraded)).toBe(false);

    save(root, 'package.json', text.replace('1.0.0', '1.0.1'));
    expect(await first.exit).toEqual({ code: 75, signal: null });
    expect(named(first.records()).slice(-3)).toEqual([
      ...['startup reconciled', 'startup restart_required', 'terminal restart_required'],
    ]);
    expect(statusOf(root)).toMatchObject({ state: 'degraded', reason: 'restart_required' });
    expect(first.said()).toContain('package.json changed');

    const second = await managed(root);
    expect(await second.record(isReady)).toMatchObject({ reason: 'reconciled' });
    save(root, 'src/tree.ts', 'export const pear = 1;\n');
    await generationReaches(root, generationOf(root) + 1);
    expect(second.records().some(isDegraded)).toBe(false);
  });

  it.each(['.env', '.env.local', 'node_modules/.package-lock.json', 'config/base.json', '.generated/more.json'])(
    'asks for a restart when %s appears or changes, ignored or not',
    async (path) => {
      const root = makeProject({
        '.gitignore': 'node_modules/\n.env*\n.generated/\n',
        '.env.local': 'A=1\n',
        'tsconfig.json': '{ "extends": "./config/base.json" }\n',
        'config/base.json': '{ "extends": "../.generated/more.json" }\n',
      });
      save(root, 'node_modules/x.js', '');
      save(root, '.env.local', 'A=1\n');
      const worker = await ready(await managed(root));
      save(root, path, '{ "changed": true }\n');
      expect((await worker.exit).code).toBe(75);
      expect(worker.said()).toContain(`${path} changed`);
    },
  );

  it('refuses an idle time-out, a channel that is not whole, and another root', async () => {
    const root = makeProject();
    const cases: [StartOptions, RegExp][] = [
      [{ root, run: 'descriptor', env: { WOODS_WATCH_IDLE_TIMEOUT: '5' } }, /WOODS_WATCH_IDLE_TIMEOUT/],
      [{ root, run: 'descriptor', args: ['--idle-timeout', '5'] }, /--idle-timeout/],
      [{ root, env: { WOODS_WATCH_EVENT_FD: '3' } }, /WOODS_WATCH_LAUNCHER_TOKEN/],
      [{ root, run: 'descriptor', args: ['--root', '/'] }, /--root/],
    ];
    for (const [options, words] of cases) {
      const worker = await startWorker(options);
      expect((await worker.exit).code).toBe(2);
      expect(worker.said()).toMatch(words);
      expect(worker.said().split('\n')).toHaveLength(1);
    }
  });
});

describe('a file that does not parse', () => {
  it('degrades naming file and line, holds nothing else up, and is running again when it is fixed', async () => {
    const root = makeProject();
    const worker = await ready(await managed(root));
    await worker.record(isReady);
    save(root, 'src/tree.ts', BROKEN);
    save(root, 'src/main.ts', 'export const other = 1;\n');
    const degraded = await statusBecomes(root, 'degraded', ({ reason }) => reason === 'held');
    expect(degraded).toMatchObject({ state: 'degraded', detail: { held_count: 1, held: [{ path: 'src/tree.ts' }] } });
    expect(String(degraded.detail?.message)).toMatch(/src\/tree\.ts:\d+ /);
    await generationReaches(root, 2);
    await worker.record(isDegraded);
    await worker.line(/degraded: .*src\/tree\.ts:\d+/);

    save(root, 'src/tree.ts', 'export const fine = 1;\n');
    await worker.line(/running again/);
    await worker.record(isReady);
    expect(await statusBecomes(root, 'running', ({ state }) => state === 'running')).toMatchObject({ reason: null });
    expect(named(worker.records()).slice(-3)).toEqual([
      ...['startup reconciled', 'startup pending_work', 'startup reconciled'],
    ]);
  });
});

describe('one worker an index', () => {
  it('says already_running and ends with 0 when there is one', async () => {
    const root = makeProject();
    const first = await ready(await managed(root));
    const status = readFileSync(join(indexOf(root), 'watch_status.json'), 'utf8');
    for (const run of ['descriptor', 'unmanaged'] as const) {
      const second = await start(root, { run });
      expect(await second.exit).toEqual({ code: 0, signal: null });
      expect(second.said()).toMatch(new RegExp(`another worker has this index .*process ${first.pid}`));
      if (run === 'descriptor') expect(named(second.records())).toEqual(['task_loaded', 'terminal already_running']);
    }
    expect(readFileSync(join(indexOf(root), 'watch_status.json'), 'utf8')).toBe(status);
    save(root, 'src/tree.ts', 'export const apple = 1;\n');
    await generationReaches(root, 2);
  });

  it('takes over after a kill -9, and what changed meanwhile is in', async () => {
    const root = makeProject();
    const first = await ready(await managed(root));
    first.signal('SIGKILL');
    await first.exit;
    save(root, 'src/tree.ts', 'export const apple = 1;\n');
    const second = await ready(await managed(root));
    expect(second.said()).toMatch(/took the index over: process \d+ .* let go of the lease/);
    expect(generationOf(root)).toBe(2);
  });

  it('leaves an unreadable claim alone when it is managed, and replaces it when somebody starts it by hand', async () => {
    const root = makeProject();
    mkdirSync(indexOf(root), { recursive: true });
    writeFileSync(join(indexOf(root), 'watch_claim.json'), 'nonsense');
    const refused = await managed(root);
    expect((await refused.exit).code).toBe(0);
    expect(named(refused.records()).at(-1)).toBe('terminal already_running');
    expect(refused.said()).toMatch(
      /another worker may have this index .*; if none is running, remove .*watch_claim\.json/,
    );
    await ready(await start(root));
  });

  it('ends for a restart when the index directory is removed under it', async () => {
    const root = makeProject();
    const worker = await ready(await managed(root));
    rmSync(indexOf(root), { recursive: true });
    save(root, 'src/tree.ts', 'export const apple = 1;\n');
    expect((await worker.exit).code).toBe(75);
    await ready(await managed(root));
    expect(generationOf(root)).toBe(1);
  });
});

describe('catching up', () => {
  it('finds what was created, edited and deleted while nothing ran, and nothing when nothing was', async () => {
    const root = makeProject();
    const stop = async (worker: WorkerProcess) => {
      worker.signal('SIGTERM');
      await worker.exit;
    };
    await stop(await ready(await start(root)));
    await stop(await ready(await start(root)));
    expect(generationOf(root)).toBe(1);
    save(root, 'src/tree.ts', 'export const apple = 1;\n');
    save(root, 'src/new.ts', 'export const leaf = 1;\n');
    unlinkSync(join(root, 'src/main.ts'));
    await ready(await start(root));
    expect(generationOf(root)).toBe(2);
    expect(statusOf(root).detail).toMatchObject({ batch: 3 });
  });

  it('switched off is never ready, and still publishes every save', async () => {
    const root = makeProject();
    const once = await start(root, { args: ['--once'] });
    await once.exit;
    save(root, 'src/tree.ts', 'export const missed = 1;\n');
    const worker = await managed(root, { env: { WOODS_WATCH_CATCH_UP: '0' } });
    expect(await worker.record(isDegraded)).toMatchObject({ reason: 'catch_up_disabled', generation: 1 });
    save(root, 'src/new.ts', 'export const leaf = 1;\n');
    await generationReaches(root, 2);
    expect(worker.records().some(isReady)).toBe(false);
    expect(statusOf(root)).toMatchObject({ state: 'degraded', reason: 'catch_up_disabled' });
  });

  it('begins with what an earlier worker left', async () => {
    const root = makeProject();
    await (await start(root, { args: ['--once'] })).exit;
    save(root, 'src/tree.ts', 'export const apple = 1;\n');
    writeFileSync(
      join(indexOf(root), 'watch_pending.json'),
      JSON.stringify({ version: 1, whole_tree: false, paths: ['src/tree.ts'] }),
    );
    await managed(root, { env: { WOODS_WATCH_CATCH_UP: '0' } });
    await generationReaches(root, 2);
    await until(() => !existsSync(join(indexOf(root), 'watch_pending.json')), { what: 'nothing is owed' });
  });

  it.each([
    [
      'a corrupt generation.json',
      (root: string) => writeFileSync(join(indexOf(root), 'generation.json'), '{"number":'),
    ],
    ['a payload that is gone', (root: string) => rmSync(join(indexOf(root), 'payloads'), { recursive: true })],
  ])('makes the index anew after %s', async (_, spoil) => {
    const root = makeProject();
    await (await start(root, { args: ['--once'] })).exit;
    spoil(root);
    await ready(await start(root));
    const pointer = pointerOf(root);
    expect(existsSync(join(indexOf(root), pointer?.payload ?? 'none', 'manifest.json'))).toBe(true);
  });
});

describe('a busy writer', () => {
  it('degrades as contended, carries what changed, and is made up for when the lock is free', async () => {
    const root = makeProject();
    const worker = await ready(await managed(root));
    const lock = await acquireWriterLock(indexOf(root), { name: 'woods extract', waitMs: 10_000 });
    save(root, 'src/tree.ts', 'export const apple = 1;\n');
    const status = await statusBecomes(root, 'contended', ({ reason }) => reason === 'contended');
    expect(status).toMatchObject({
      state: 'degraded',
      detail: { pending: 1, message: expect.stringContaining('woods extract') },
    });
    expect(generationOf(root)).toBe(1);
    worker.signal('SIGKILL');
    await worker.exit;
    expect(JSON.parse(readFileSync(join(indexOf(root), 'watch_pending.json'), 'utf8'))).toMatchObject({
      paths: ['src/tree.ts'],
    });

    const next = await managed(root);
    expect(await next.record(isDegraded)).toMatchObject({ reason: 'pending_work' });
    lock.release();
    expect(await next.record(isReady)).toMatchObject({ generation: 2 });
    expect(existsSync(join(indexOf(root), 'watch_pending.json'))).toBe(false);
  });
});

describe('an index directory that cannot be used', () => {
  it.each([
    ['a file', (at: string) => writeFileSync(at, 'mine'), /is a file.*--output/],
    ['a link', (at: string, root: string) => symlinkSync(join(root, 'src'), at), /is a symbolic link.*--output/],
  ])('%s: one clear line and exit 2, managed or not', async (_, make, words) => {
    const root = makeProject();
    mkdirSync(join(root, 'tmp'));
    make(indexOf(root), root);
    for (const run of ['unmanaged', 'descriptor'] as const) {
      const worker = await start(root, { run });
      expect((await worker.exit).code).toBe(2);
      expect(worker.said().split('\n')).toEqual([expect.stringMatching(words)]);
    }
  });
});

describe('an unmanaged worker', () => {
  it('that polls says how late it sees a change', async () => {
    const root = makeProject();
    const worker = await ready(await start(root, { args: ['--backend', 'polling', ...polling] }));
    expect(worker.said()).toMatch(/^\[woods\] watching .* \(polling: a change is seen within \d+\.\d s\)$/m);
    save(root, 'src/tree.ts', 'export const pear = 1;\n');
    await generationReaches(root, 2);
    expect(statusOf(root)?.detail).toMatchObject({ backend: 'polling', seen_within_ms: expect.any(Number) });
  });

  it('says what it watches, where the index is, and how to stop it; Ctrl-C does', async () => {
    const root = makeProject();
    const worker = await ready(await start(root));
    expect(worker.said()).toContain(`watching ${root} (${USUAL_BACKEND}`);
    expect(worker.said()).toContain(`the index is in ${indexOf(root)}`);
    expect(worker.said()).toContain('Ctrl-C stops it');
    worker.signal('SIGINT');
    expect(await worker.exit).toEqual({ code: 0, signal: null });
    expect(worker.said().split('\n').at(-1)).toBe('[woods] stopped by SIGINT');
  });

  it('with --once publishes what differs, and ends', async () => {
    const root = makeProject();
    for (const expected of [1, 1]) {
      const worker = await start(root, { args: ['--once'] });
      expect((await worker.exit).code).toBe(0);
      expect(generationOf(root)).toBe(expected);
    }
    expect(statusOf(root).state).toBe('stopped');
  });

  it('ends after --max-seconds, or after --idle-timeout without work', async () => {
    const root = makeProject();
    const short = await start(root, { args: [...polling, '--max-seconds', '0.1'] });
    expect((await short.exit).code).toBe(0);
    const idle = await ready(await start(root, { args: [...polling, '--idle-timeout', '0.5'] }));
    save(root, 'src/tree.ts', 'export const apple = 1;\n');
    expect((await idle.exit).code).toBe(0);
    expect(generationOf(root)).toBe(2);
    expect(idle.said()).toContain('nothing happened for 0.5 s');
  });

  it('finds its root from a directory below, and lists its options when one is wrong', async () => {
    const root = makeProject();
    const below = await start(join(root, 'src'), { args: ['--once'] });
    expect((await below.exit).code).toBe(0);
    expect(generationOf(root)).toBe(1);
    const wrong = await start(root, { args: ['--wat'] });
    expect((await wrong.exit).code).toBe(2);
    expect(wrong.said()).toMatch(/--wat.*--root, --output, --backend/);
  });

  it('prints phases that add up with WOODS_PROFILE=1', async () => {
    const root = makeProject();
    const worker = await start(root, { args: ['--once'], env: { WOODS_PROFILE: '1' } });
    const line = await worker.line(/profile: /);
    const [parts = '', total = ''] = line.split(' = ');
    const sum = [...parts.matchAll(/ (\d+\.\d)(?: \+|$)/g)].reduce(
      (tenths, [, ms]) => tenths + Math.round(Number(ms) * 10),
      0,
    );
    expect(sum).toBe(Math.round(Number.parseFloat(total) * 10));
    await worker.exit;
  });
});

describe('many changes', () => {
  it('are one logged storm and one generation', async () => {
    const root = makeProject();
    const worker = await ready(await start(root, { env: { WOODS_WATCH_DEBOUNCE: '0.2' } }));
    // Made beside the tree and moved in at once, so that no poll can see a part of it.
    const place = join(root, 'tmp/many');
    mkdirSync(place);
    for (let n = 0; n < 200; n += 1) writeFileSync(join(place, `${n}.ts`), `export const v${n} = ${n};\n`);
    renameSync(place, join(root, 'src/many'));
    await generationReaches(root, 2);
    await statusBecomes(root, 'done', ({ generation, detail }) => generation === 2 && detail?.batch === 200);
    expect(worker.said().match(/storm: 200 files/g)).toHaveLength(1);
  });

  it('of branches are followed, by git itself', async () => {
    const root = makeProject();
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { stdio: 'ignore' });
    git('checkout', '-qb', 'other');
    for (let n = 0; n < 80; n += 1) save(root, `src/b${n}.ts`, `export const b${n} = ${n};\n`);
    git('add', '-A');
    git('commit', '-qm', 'second');
    const worker = await ready(await start(root));
    git('checkout', '-q', 'main');
    await statusBecomes(root, 'all gone', ({ generation }) => (generation ?? 0) >= 2);
    await worker.line(/storm: 80 files/);
  });

  it('of the ignore rules add and remove files', async () => {
    const root = makeProject();
    const worker = await ready(await start(root));
    save(root, '.gitignore', 'node_modules/\nsrc/tree.ts\n.gitignore\n');
    execFileSync('git', ['-C', root, 'rm', '-q', '--cached', 'src/tree.ts'], { stdio: 'ignore' });
    await worker.line(/the ignore rules changed/);
    await generationReaches(root, 2);
  });
});
