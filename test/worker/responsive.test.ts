/** The main thread answers, whatever the index thread is busy with. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { validateIndex } from '@woods/index';
import { afterEach, describe, expect, it } from 'vitest';
import { makeProject, removeProjects } from '../support/project.ts';
import { generationOf, indexOf, statusOf } from './support/index-place.ts';
import { endWorkers, startWorker } from './support/worker-process.ts';

afterEach(() => {
  endWorkers();
  removeProjects();
});

/** Busy for a second or more from nothing. */
const FILES = 1500;

function largeTree(): string {
  const text = (at: number): string => {
    const members = Array.from(
      { length: 30 },
      (_, n) => `  grow${n}(by: number): number { return this.size + by * ${n} + leaf${at}(by); }`,
    );
    const above = at === 0 ? '' : `import { Branch${at - 1} } from './branch${at - 1}.js';\n`;
    const parent = at === 0 ? '' : ` extends Branch${at - 1}`;
    return `${above}export function leaf${at}(n: number): number { return n; }\nexport class Branch${at}${parent} {\n  size = ${at};\n${members.join('\n')}\n}\n`;
  };
  return makeProject(Object.fromEntries(Array.from({ length: FILES }, (_, at) => [`src/branch${at}.ts`, text(at)])));
}

function lockTaken(root: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!existsSync(join(indexOf(root), 'extraction.lock'))) return;
      clearInterval(timer);
      resolve();
    };
    const timer = setInterval(look, 5);
  });
}

describe('during a cold run', () => {
  it('TERM, INT and HUP are answered at once: record, status, locks, exit 0', async () => {
    const root = largeTree();
    const answered: number[] = [];
    const ended: number[] = [];
    for (const [round, signal] of (['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGTERM', 'SIGTERM'] as const).entries()) {
      rmSync(indexOf(root), { recursive: true, force: true });
      rmSync(join(root, '.git/woods'), { recursive: true, force: true });
      const worker = await startWorker({ root, run: 'descriptor' });
      await lockTaken(root);
      await after(round * 150);
      expect(generationOf(root)).toBe(0);
      const sent = performance.now();
      worker.signal(signal);
      await worker.record(({ event }) => event === 'terminal');
      answered.push(performance.now() - sent);
      expect(await worker.exit).toEqual({ code: 0, signal: null });
      ended.push(performance.now() - sent);
      expect(statusOf(root).state).toBe('stopped');
      for (const name of ['extraction.lock', 'watch_claim.json'])
        expect(existsSync(join(indexOf(root), name))).toBe(false);
    }
    expect(answered.sort((a, b) => a - b)[2]).toBeLessThan(50);
    expect(ended.sort((a, b) => a - b)[2]).toBeLessThan(150);

    const worker = await startWorker({ root });
    await worker.line(/ready: generation 1/);
    expect(validateIndex(indexOf(root)).findings).toEqual([]);
  }, 120_000);

  it('the main thread is never busy for long', async () => {
    const root = largeTree();
    const note = join(root, 'tmp/delay');
    const worker = await startWorker({
      root,
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(meter(note))}` },
    });
    await lockTaken(root);
    worker.signal('SIGUSR2');
    await worker.line(/ready: generation 1/);
    worker.signal('SIGTERM');
    await worker.exit;
    expect(Number(readFileSync(note, 'utf8'))).toBeLessThan(100);
  }, 60_000);
});

/** Measures from SIGUSR2 on how late the main thread's event loop is at worst, in ms. */
function meter(note: string): string {
  return `
    import { monitorEventLoopDelay } from 'node:perf_hooks';
    import { writeFileSync } from 'node:fs';
    import { isMainThread } from 'node:worker_threads';
    if (isMainThread) {
      const delay = monitorEventLoopDelay({ resolution: 5 });
      process.on('SIGUSR2', () => { delay.enable(); });
      process.on('exit', () => writeFileSync(${JSON.stringify(note)}, String(delay.max / 1e6)));
    }`;
}
