/** The index of a project in a test, as a reader sees it. */
import { join } from 'node:path';
import { type Pointer, readPointer, readWatchStatus, type WatchStatus } from '@woods/protocol';
import { until } from '../../support/until.ts';

export function indexOf(root: string): string {
  return join(root, 'tmp/woods');
}

export function pointerOf(root: string): Pointer | null {
  const read = readPointer(indexOf(root));
  return read.kind === 'ok' ? read.value : null;
}

export function generationOf(root: string): number {
  return pointerOf(root)?.number ?? 0;
}

/** Resolves when the generation is published. */
export function generationReaches(root: string, wanted: number): Promise<number> {
  return until(() => (generationOf(root) >= wanted ? generationOf(root) : null), {
    directory: indexOf(root),
    what: `generation ${wanted}`,
  });
}

export function statusOf(root: string): WatchStatus {
  const read = readWatchStatus(indexOf(root));
  if (read.kind !== 'ok') throw new Error(`watch_status.json is ${read.kind}`);
  return read.value;
}

/** Resolves with the first status that fits. */
export function statusBecomes(
  root: string,
  what: string,
  fits: (status: WatchStatus) => boolean,
): Promise<WatchStatus> {
  return until(
    () => {
      const read = readWatchStatus(indexOf(root));
      return read.kind === 'ok' && fits(read.value) ? read.value : null;
    },
    { directory: indexOf(root), what },
  );
}
