import { onTestFinished } from 'vitest';
import type { Backend } from '../../../packages/watch/src/backend/backend.ts';
import { type Batch, emptyBatch, mergeBatches } from '../../../packages/watch/src/backend/batch.ts';
import { type BackendOptions, createBackend } from '../../../packages/watch/src/backend/create.ts';
import { isAtOrBelow } from '../../../packages/watch/src/bytes/path.ts';
import { optionsFor, write } from './tree.ts';

/** A started backend and what it told, to be asked for and never slept for. */
export interface Watching {
  readonly backend: Backend;
  /** Waits until all of these were told (in any number of batches), then hands over all that was told since the last call. */
  see(...paths: string[]): Promise<Batch>;
  /** Waits until all that was told fulfils the condition, then hands it over. */
  seeWhere(wanted: (told: Batch) => boolean): Promise<Batch>;
  /** All that is told until a file is seen that was written after everything else. */
  seeAllSoFar(): Promise<Set<string>>;
}

const DEADLINE_MS = 15_000;

/** The backends that must all tell the same. */
export const BACKENDS = process.platform === 'linux' ? (['polling', 'inotify'] as const) : (['polling'] as const);

/** A directory stands for all that was in it. */
export function tells({ paths, dirs }: Batch, path: string): boolean {
  return paths.has(path) || [...dirs].some((directory) => isAtOrBelow(path, directory));
}

function fail(line: string): never {
  throw new Error(`a backend that was asked for by name warned: ${line}`);
}

export async function watch(root: string, more: Partial<BackendOptions> = {}): Promise<Watching> {
  const options = { ...optionsFor(root), extra: [], intervalMs: 10, choice: 'polling' as const, warn: fail, ...more };
  const backend = await createBackend(options);
  onTestFinished(() => backend.close());
  await backend.start();
  let told = emptyBatch();
  let marks = 0;

  async function seeWhere(wanted: (batch: Batch) => boolean): Promise<Batch> {
    const deadline = performance.now() + DEADLINE_MS;
    while (!wanted(told)) {
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`not seen in time; told were ${JSON.stringify([...told.paths])}, ${told.reason}`);
      told = mergeBatches(told, await backend.wait(left));
    }
    const seen = told;
    told = emptyBatch();
    return seen;
  }

  return {
    backend,
    seeWhere,
    see: (...paths) => seeWhere((batch) => paths.every((path) => tells(batch, path))),
    async seeAllSoFar() {
      marks += 1;
      const mark = `mark-${marks}.ts`;
      write(root, mark);
      const { paths } = await seeWhere((batch) => batch.paths.has(mark));
      paths.delete(mark);
      return paths;
    },
  };
}
