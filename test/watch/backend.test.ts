import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { UsageError } from '@woods/protocol';
import { describe, expect, it, vi } from 'vitest';
import { type Backend, BackendFailure } from '../../packages/watch/src/backend/backend.ts';
import { emptyBatch } from '../../packages/watch/src/backend/batch.ts';
import { createBackend } from '../../packages/watch/src/backend/create.ts';
import { pollDelay } from '../../packages/watch/src/backend/interval.ts';
import { optionsFor, tree } from './support/tree.ts';
import { BACKENDS, watch } from './support/watching.ts';

const threads = vi.hoisted(() => [] as Worker[]);

vi.mock('node:worker_threads', async (importActual) => {
  const actual = await importActual<typeof import('node:worker_threads')>();
  class Seen extends actual.Worker {
    constructor(...args: ConstructorParameters<typeof actual.Worker>) {
      super(...args);
      threads.push(this);
    }
  }
  return { ...actual, Worker: Seen };
});

/** Longer than any test: whatever ends in time did not wait for the next scan. */
const NEVER_MS = 3_600_000;

function choose(choice: 'auto' | 'inotify' | 'fsevents' | 'polling', root = tree()): Promise<Backend> {
  return createBackend({ ...optionsFor(root), extra: [], intervalMs: 10, choice, warn: expect.unreachable });
}

describe('createBackend', () => {
  it('says that fsevents is not to be had and what is', async () => {
    await expect(choose('fsevents')).rejects.toThrow(UsageError);
    await expect(choose('fsevents')).rejects.toThrow(
      '--backend fsevents is not in this version of woods; use --backend polling',
    );
  });

  it.runIf(process.platform === 'linux')('takes inotify on a local file system, and polls when asked to', async () => {
    expect((await choose('auto')).name).toBe('inotify');
    expect((await choose('polling')).name).toBe('polling');
  });

  it.each(['auto', ...BACKENDS] as const)('%s refuses a root that is not there', async (choice) => {
    await expect(choose(choice, '/no/such/root')).rejects.toThrow('/no/such/root is not a directory');
  });
});

describe('wait', () => {
  it('ends with an empty batch when its time is over', async () => {
    const { backend } = await watch(tree({ 'a.ts': '' }));
    expect(await backend.wait(30)).toEqual(emptyBatch());
  });

  it('hands over what came while nobody waited, the overflow with it', async () => {
    const root = tree({ 'a.ts': '' });
    const { backend } = await watch(root);
    const told = new Promise<void>((resolve) => {
      threads.at(-1)?.on('message', ({ batch }) => {
        if (batch?.reason === 'root-gone' && !batch.overflow) renameSync(`${root}-away`, root);
        if (batch?.overflow) writeFileSync(join(root, 'later.ts'), '');
        if (batch?.paths.has('later.ts')) resolve();
      });
    });
    renameSync(root, `${root}-away`);
    await told;
    const batch = await backend.wait(NEVER_MS);
    expect(batch).toMatchObject({ overflow: true, reason: 'root-gone', paths: new Set(['later.ts']) });
    expect(await backend.wait(30)).toEqual(emptyBatch());
  });

  it('is as late as its interval and a scan, and says so', async () => {
    const { backend } = await watch(tree(), { intervalMs: 5_000 });
    expect(backend.lagMs()).toBeGreaterThan(5_000);
  });

  it('serves one caller at a time', async () => {
    const { backend } = await watch(tree());
    const first = backend.wait(NEVER_MS);
    await expect(backend.wait(10)).rejects.toThrow('two callers');
    await backend.close();
    expect(await first).toEqual(emptyBatch());
  });

  it('fails when the thread has died, at once and ever after', async () => {
    const { backend } = await watch(tree());
    const failed = expect(backend.wait(NEVER_MS)).rejects.toThrow(BackendFailure);
    await threads.at(-1)?.terminate();
    await failed;
    await expect(backend.wait(10)).rejects.toThrow('the polling backend cannot go on: its thread ended');
    await backend.close();
  });
});

describe('close', () => {
  it('does not wait for the next scan', async () => {
    const { backend } = await watch(tree(), { intervalMs: NEVER_MS });
    const startedMs = performance.now();
    await backend.close();
    await backend.close();
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    await expect(backend.wait(10)).rejects.toThrow('it is closed');
  });

  it('ends a start that is under way', async () => {
    const backend = await choose('polling');
    const failed = expect(backend.start()).rejects.toThrow('closed while it started');
    await backend.close();
    await failed;
  });

  it('of a backend that never started is nothing', async () => {
    const backend = await choose('polling');
    await backend.close();
    await expect(backend.start()).rejects.toThrow(BackendFailure);
  });
});

describe('the process', () => {
  describe.each(BACKENDS)('with %s', (choice) => {
    it.each([
      ['at its natural end', '', 0, null],
      ['by process.exit', 'process.exit(3)', 3, null],
      ['by an uncaught error', 'throw new Error("on purpose")', 1, null],
      ['by SIGTERM', 'setInterval(() => {}, 1000); process.kill(process.pid, "SIGTERM")', null, 'SIGTERM'],
      ['after close', 'await backend.close()', 0, null],
    ] as const)('ends %s while the thread sleeps', async (_, then, code, signal) => {
      const dist = new URL('../../packages/watch/dist/index.js', import.meta.url).href;
      const options = { ...optionsFor(tree({ 'a.ts': '' })), extra: [], intervalMs: NEVER_MS, choice };
      const program = `
      const { createBackend } = await import('${dist}');
      const backend = await createBackend(${JSON.stringify(options)});
      await backend.start();
      await backend.wait(20);
      await new Promise((resolve) => process.stdout.write('ready\\n', resolve));
      ${then}`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = once(child, 'exit');
      await once(child.stdout, 'data');
      const readyMs = performance.now();
      expect(await ended).toEqual([code, signal]);
      expect(performance.now() - readyMs).toBeLessThan(1_000);
    });
  });
});

describe('the pause between scans', () => {
  it.each([
    [{ intervalMs: 1_000, scanMs: 5, scan: 'later', root: 'present' }, 1_000],
    [{ intervalMs: 1_000, scanMs: 300, scan: 'first', root: 'present' }, 1_000],
    [{ intervalMs: 1_000, scanMs: 3_000, scan: 'first', root: 'present' }, 3_000],
    [{ intervalMs: 1_000, scanMs: 300, scan: 'later', root: 'present' }, 6_000],
    [{ intervalMs: 10_000, scanMs: 300, scan: 'later', root: 'missing' }, 1_000],
    [{ intervalMs: 200, scanMs: 300, scan: 'later', root: 'missing' }, 200],
  ] as const)('%o is %d ms', (options, expected) => {
    expect(pollDelay(options)).toBe(expected);
  });
});
