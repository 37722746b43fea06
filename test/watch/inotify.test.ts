/** What only inotify can get wrong: queues that overflow, limits, events that never come, and what it must not watch. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BackendFailure } from '../../packages/watch/src/backend/backend.ts';
import { noHints, takeEvent } from '../../packages/watch/src/backend/inotify/hints.ts';
import { openPacer } from '../../packages/watch/src/backend/inotify/pacer.ts';
import { openTold } from '../../packages/watch/src/backend/inotify/told.ts';
import { openWatchSet } from '../../packages/watch/src/backend/inotify/watch-set.ts';
import { openInotifyBackend } from '../../packages/watch/src/backend/inotify.ts';
import { describeWithTools } from '../support/tools.ts';
import { optionsFor, temporaryDirectory, tree, write } from './support/tree.ts';
import { watch } from './support/watching.ts';

const linux = describe.runIf(process.platform === 'linux');

/** Batches of a backend in a process of its own, as JSON lines, so that it can be stopped and limited. */
function elsewhere(root: string, prefix: readonly string[] = []) {
  const dist = new URL('../../packages/watch/dist/index.js', import.meta.url).href;
  const program = `
    const { createBackend } = await import(${JSON.stringify(dist)});
    const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
    const warn = (warning) => say({ warning });
    const backend = await createBackend({ ...${JSON.stringify(optionsFor(root))}, extra: [], intervalMs: 10, choice: 'auto', warn });
    await backend.start();
    say({ ready: backend.name });
    for (;;) {
      const { paths, dirs, overflow, reason } = await backend.wait(60_000);
      say({ paths: [...paths], dirs: [...dirs], overflow, reason });
    }`;
  const [command = process.execPath, ...args] = [...prefix, process.execPath, '--input-type=module', '-e', program];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await ended;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    /** The first thing told, from now on, that fits. */
    async tells(fits: (told: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error('the backend ended');
        const told: Record<string, unknown> = JSON.parse(value);
        if (fits(told)) return told;
      }
    },
  };
}

const includes = (path: string) => (told: Record<string, unknown>) =>
  Array.isArray(told.paths) && told.paths.includes(path);

linux('the queue', () => {
  it('that overflows while the process is stopped is told, and what came meanwhile is watched', {
    timeout: 120_000,
  }, async () => {
    const root = tree({ 'a.ts': '' });
    const backend = elsewhere(root);
    await backend.tells(({ ready }) => ready === 'inotify');
    process.kill(backend.pid, 'SIGSTOP');
    const limit = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
    mkdirSync(join(root, 'late'));
    for (let n = 0; n < limit / 2 + 1_000; n += 1) writeFileSync(join(root, `f${n}.ts`), 'x');
    mkdirSync(join(root, 'later/deep'), { recursive: true });
    writeFileSync(join(root, 'later/deep/a.ts'), '');
    process.kill(backend.pid, 'SIGCONT');
    const told = new Set<string>();
    await backend.tells(({ overflow, reason, paths }) => {
      if (overflow === true && reason === 'queue-overflow') told.add('overflow');
      if (Array.isArray(paths) && paths.includes('later/deep/a.ts')) told.add('later');
      return told.size === 2;
    });
    writeFileSync(join(root, 'later/deep/b.ts'), '');
    await backend.tells(includes('later/deep/b.ts'));
  });

  it('is not filled by reading', async () => {
    const paths = Array.from({ length: 3_000 }, (_, n) => `d${n % 30}/${n}.ts`);
    const root = tree(Object.fromEntries(paths.map((path) => [path, 'x'])));
    const watching = await watch(root, { choice: 'inotify' });
    for (const path of paths) readFileSync(join(root, path));
    expect(await watching.seeAllSoFar()).toEqual(new Set());
  });

  it('is read while the main thread is blocked', { timeout: 120_000 }, async () => {
    const root = tree({ 'a.ts': '' });
    const watching = await watch(root, { choice: 'inotify' });
    const files = process.env.WOODS_SOAK === undefined ? 10_000 : 50_000;
    const script = `const fs = require('node:fs'); for (let n = 0; n < ${files}; n += 1) fs.writeFileSync(process.argv[1] + n + '.ts', '')`;
    const writers = ['x', 'y'].map((name) =>
      spawn(process.execPath, ['-e', script, join(root, name)], { stdio: 'inherit' }),
    );
    const ended = Promise.all(writers.map((writer) => once(writer, 'exit')));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
    await ended;
    const wanted = ['x', 'y'].flatMap((name) => Array.from({ length: files }, (_, n) => `${name}${n}.ts`));
    const told = await watching.seeWhere(({ paths, overflow }) => overflow || wanted.every((path) => paths.has(path)));
    expect(told.overflow).toBe(false);
  });
});

linux('a directory', () => {
  it('that is ignored is not watched', async () => {
    const root = tree({ '.gitignore': 'out/\n', 'a.ts': '', 'out/a/b/c.js': '', 'node_modules/p/index.js': '' });
    const watched: string[] = [];
    const inotify = { watch: (path: string) => ({ watch: watched.push(path) }), unwatch: () => undefined };
    expect(openWatchSet(inotify, root).size()).toBe(0);
    const watching = await watch(root, { choice: 'inotify' });
    write(root, 'out/a/b/d.js');
    write(root, 'node_modules/p/more.js');
    expect(await watching.seeAllSoFar()).toEqual(new Set());
  });

  it('made and filled fifty times over is seen, also later', async () => {
    const root = tree();
    const watching = await watch(root, { choice: 'inotify' });
    const paths = Array.from({ length: 50 }, (_, n) => `n${n}/a/b/c.ts`);
    for (const path of paths) write(root, path, 'one');
    await watching.see(...paths);
    for (const path of paths) write(root, path, 'two');
    await watching.see(...paths);
  });

  it('renamed tells under its new name, also when another takes its old one', async () => {
    const root = tree({ 'a/x.ts': '', 'b/y.ts': '' });
    const watching = await watch(root, { choice: 'inotify' });
    for (let round = 0; round < 5; round += 1) {
      renameSync(join(root, 'a'), join(root, 'c'));
      renameSync(join(root, 'b'), join(root, 'a'));
      renameSync(join(root, 'c'), join(root, 'b'));
      await watching.see('a', 'b');
      const [x, y] = round % 2 === 0 ? ['b/x.ts', 'a/y.ts'] : ['a/x.ts', 'b/y.ts'];
      write(root, x, `${round}`);
      write(root, y, `${round}`);
      await watching.see(x, y);
    }
  });
});

linux('polling takes over', () => {
  it('after two scans in a row that found what nobody had told', async () => {
    const outside = temporaryDirectory();
    writeFileSync(join(outside, 'twin.ts'), '0');
    const root = tree({ 'a.ts': '' });
    linkSync(join(outside, 'twin.ts'), join(root, 'twin.ts'));
    const warnings: string[] = [];
    const options = { ...optionsFor(root), extra: [], intervalMs: 10 };
    const native = openInotifyBackend({ ...options, verifyMs: 0 });
    const { openFallback } = await import('../../packages/watch/src/backend/fallback.ts');
    const { openPolling } = await import('../../packages/watch/src/backend/polling.ts');
    const backend = openFallback({
      native,
      openPolling: () => openPolling(options),
      warn: (line) => warnings.push(line),
    });
    onTestFinished(() => backend.close());
    await backend.start();
    expect(backend.name).toBe('inotify');
    let writes = 0;
    // A change by a name outside of the tree: the kernel tells those who watch that name.
    const writing = setInterval(() => writeFileSync(join(outside, 'twin.ts'), `${++writes}`), 20);
    onTestFinished(() => clearInterval(writing));
    while (backend.name === 'inotify') await backend.wait(5_000);
    expect(warnings).toEqual([
      expect.stringMatching(/^the inotify backend cannot go on: two scans in a row .*; polling instead/),
    ]);
    clearInterval(writing);
    write(root, 'later.ts');
    for (let seen = false; !seen; ) seen = (await backend.wait(5_000)).paths.has('later.ts');
  });

  it('with one warning when the thread dies', async () => {
    const root = tree({ 'a.ts': '' });
    const failing = { ...openInotifyBackend({ ...optionsFor(root), extra: [] }) };
    const warnings: string[] = [];
    const { openFallback } = await import('../../packages/watch/src/backend/fallback.ts');
    const { openPolling } = await import('../../packages/watch/src/backend/polling.ts');
    const options = { ...optionsFor(root), extra: [], intervalMs: 10 };
    const native = {
      ...failing,
      wait: async () => {
        throw new BackendFailure('inotify', 'its thread ended');
      },
    };
    const backend = openFallback({
      native,
      openPolling: () => openPolling(options),
      warn: (line) => warnings.push(line),
    });
    onTestFinished(() => backend.close());
    await backend.start();
    expect(await backend.wait(5_000)).toMatchObject({ overflow: true, reason: 'backend-error' });
    expect(backend.name).toBe('polling');
    expect(backend.lagMs()).not.toBeNull();
    expect(warnings).toHaveLength(1);
  });
});

describeWithTools('limits of the user', ['unshare'], () => {
  it.each([
    ['max_inotify_watches', 3, /directories are watched and no more may be .*sysctl fs\.inotify\.max_user_watches=/],
    ['max_inotify_instances', 0, /too many programs watch files .*sysctl fs\.inotify\.max_user_instances=/],
  ])('%s: polling takes over, with the line that raises it', async (name, value, words) => {
    const root = tree({ 'a/b/c/d/e.ts': '', 'f/g.ts': '' });
    const lowered = `echo ${value} > /proc/sys/user/${name} && exec "$@"`;
    const backend = elsewhere(root, ['unshare', '--user', '--map-root-user', 'sh', '-c', lowered, 'sh']);
    expect(await backend.tells(({ warning }) => warning !== undefined)).toEqual({
      warning: expect.stringMatching(words),
    });
    await backend.tells(({ ready }) => ready === 'polling');
    write(root, 'f/h.ts');
    await backend.tells(includes('f/h.ts'));
  });
});

describe('the pause before a scan', () => {
  it('is none three times, then grows to 30 s, and is none again after a quiet time', () => {
    let now = 1_000;
    const pacer = openPacer(() => now);
    const pauses: number[] = [];
    for (let scan = 0; scan < 14; scan += 1) {
      pauses.push(pacer.delayMs());
      now += pacer.delayMs();
      pacer.scanned();
    }
    expect(pauses.slice(0, 6)).toEqual([0, 0, 0, 100, 200, 400]);
    expect(pauses.at(-1)).toBe(30_000);
    now += 41_000;
    expect(pacer.delayMs()).toBe(0);
    pacer.scanned();
    expect(pacer.delayMs()).toBe(0);
  });
});

describe('what was told', () => {
  it('explains a path, all below a directory, or everything', () => {
    const told = openTold();
    told.add(['a/b.ts'], ['c/d']);
    expect(['a/b.ts', 'c/d', 'c/d/e.ts', 'a/c.ts', 'c/de'].filter((path) => told.explains(path))).toEqual([
      'a/b.ts',
      'c/d',
      'c/d/e.ts',
    ]);
    told.all();
    expect(told.explains('x')).toBe(true);
    told.clear();
    expect(told.explains('a/b.ts')).toBe(false);
  });
});

describe('watches', () => {
  function fake() {
    const numbers = new Map<string, number>();
    const gone: number[] = [];
    const set = openWatchSet(
      {
        watch: (path) => {
          const watch = numbers.get(path);
          return watch === undefined ? { error: 'ENOENT' } : { watch };
        },
        unwatch: (watch) => gone.push(watch),
      },
      '/root',
    );
    return { numbers, gone, set };
  }

  it('of a renamed directory go by its new name, whichever is heard first', () => {
    const { numbers, gone, set } = fake();
    numbers.set('/root/old', 7).set('/root/new', 7);
    set.arm('old');
    set.arm('new');
    expect([set.pathOf(7), set.has('old'), set.has('new'), gone]).toEqual(['new', false, true, []]);
    set.drop('old');
    expect(set.pathOf(7)).toBe('new');
  });

  it('of a path that is another directory now are the new one only', () => {
    const { numbers, gone, set } = fake();
    numbers.set('/root/a', 1);
    set.arm('a');
    numbers.set('/root/a', 2);
    set.arm('a');
    expect([set.pathOf(1), set.pathOf(2), gone]).toEqual([undefined, 'a', [1]]);
    set.forget(1);
    expect(set.has('a')).toBe(true);
    set.forget(2);
    expect(set.has('a')).toBe(false);
  });

  it('that no scan armed go, and no others', () => {
    const { numbers, set } = fake();
    numbers.set('/root/.', 1).set('/root/a', 2).set('/root/ab', 3);
    for (const path of ['', 'a', 'ab', 'missing']) set.arm(path);
    set.dropStale();
    for (const path of ['', 'ab']) set.arm(path);
    set.dropStale();
    expect([set.has(''), set.has('a'), set.has('ab'), set.size()]).toEqual([true, false, true, 2]);
    set.arm('a');
    set.drop('a');
    expect([set.has('a'), set.has('ab')]).toEqual([false, true]);
  });
});

describe('events', () => {
  const known = {
    watches: { pathOf: () => 'src', has: () => true, forget: () => undefined, drop: () => undefined },
    ignore: { ignores: (path: string) => path === 'src/ignored', forget: () => undefined },
    extra: new Set(['src/.env']),
  };
  const DIRECTORY = 0x40000000;
  it.each([
    ['of a file', 0x2, 'a.ts', { paths: new Set(['src/a.ts']) }],
    ['of an ignored file', 0x2, 'ignored', {}],
    ['of a file watched singly', 0x8, '.env', { paths: new Set(['src/.env']) }],
    ['of rules', 0x8, '.gitignore', { paths: new Set(['src/.gitignore']), rules: true }],
    ['of a repository', 0x100 | DIRECTORY, '.git', { repository: true }],
    ['of a new directory', 0x100 | DIRECTORY, 'new', { arrived: new Set(['src/new']) }],
    ['of a directory moved in', 0x80 | DIRECTORY, 'new', { arrived: new Set(['src/new']) }],
    ['of the mode of a watched directory', 0x4 | DIRECTORY, 'old', {}],
    ['of a directory moved out', 0x40 | DIRECTORY, 'old', { dirs: new Set(['src/old']) }],
    ['of an ignored directory', 0x100 | DIRECTORY, 'ignored', {}],
    ['that were dropped', 0x4000, '', { overflow: true }],
    ['of an unmount', 0x2000, '', { unmounted: true }],
  ])('%s', (_, mask, name, expected) => {
    const hints = noHints();
    takeEvent({ watch: 1, mask, name }, hints, known);
    expect(hints).toEqual({ ...noHints(), ...expected });
  });
});
