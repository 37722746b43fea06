/** kill -9 of the worker at random points of its publishes: what is left is whole, and either the old or the new generation. */
import { existsSync, renameSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { validateIndex } from '@woods/index';
import { afterEach, describe, expect, it } from 'vitest';
import { makeProject, removeProjects, save } from '../support/project.ts';
import { rounds } from '../support/rounds.ts';
import { generationOf, indexOf } from '../worker/support/index-place.ts';
import { endWorkers, startWorker, type WorkerProcess } from '../worker/support/worker-process.ts';

const ROUNDS = rounds({ ci: 25, soak: 200 });
/** A run takes a few milliseconds here; the kills fall before, into and after it. */
const LONGEST_MS = 40;

afterEach(() => {
  endWorkers();
  removeProjects();
});

describe('a worker that is killed while it publishes', () => {
  it(
    `leaves a whole index, old or new, ${ROUNDS} times`,
    async () => {
      const root = makeProject(
        Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`src/leaf${at}.ts`, leaf(at, 0)])),
      );
      const outcomes = { old: 0, new: 0 };
      for (let round = 1; round <= ROUNDS; round += 1) {
        const worker = await startWorker({ root, args: ['--interval', '0.02'], env: { WOODS_WATCH_DEBOUNCE: '0' } });
        await worker.line(/ready: generation/);
        expect(validateIndex(indexOf(root)).findings).toEqual([]);
        const before = generationOf(root);
        await killedDuringRun(worker, root, round);
        const { findings, generation } = validateIndex(indexOf(root));
        expect(findings, `after kill ${round}`).toEqual([]);
        expect([before, before + 1]).toContain(generation);
        outcomes[generation === before ? 'old' : 'new'] += 1;
      }
      const worker = await startWorker({ root, args: ['--once'] });
      expect((await worker.exit).code).toBe(0);
      expect(validateIndex(indexOf(root)).findings).toEqual([]);
      // Both kinds, or the kills never met a publish.
      expect(outcomes.old).toBeGreaterThan(0);
      expect(outcomes.new).toBeGreaterThan(0);
    },
    20_000 + ROUNDS * 10_000,
  );
});

async function killedDuringRun(worker: WorkerProcess, root: string, round: number): Promise<void> {
  const started = lockTaken(root);
  // In one step, or a back end that tells at once could make two generations of it.
  save(root, 'tmp/next.ts', leaf(round % 30, round));
  renameSync(join(root, 'tmp/next.ts'), join(root, `src/leaf${round % 30}.ts`));
  await started;
  await after(Math.random() * LONGEST_MS);
  worker.signal('SIGKILL');
  await worker.exit;
}

/** Resolves as soon as a run has begun. */
function lockTaken(root: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!existsSync(join(indexOf(root), 'extraction.lock'))) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(indexOf(root), look);
  });
}

function leaf(at: number, round: number): string {
  return `import { Tree } from './tree.js';\nexport class Leaf${at}r${round} extends Tree {\n  fall() { return ${round}; }\n}\n`;
}
