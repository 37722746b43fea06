/** Holding a generation: a shared flock on its manifest keeps it from being pruned. */
import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { flock, flockSupport } from '@woods/posix';
import { readPointer } from '@woods/protocol';
import { IndexError, messageOf } from '../errors.ts';
import { MANIFEST } from '../store/generation/layout.ts';
import type { Snapshot } from './snapshot.ts';

/** Whether the generation is safe from pruning while it is read. */
export type Hold = { readonly state: 'pinned' } | { readonly state: 'unpinned'; readonly reason: string };

export interface Pin {
  readonly snapshot: Snapshot;
  readonly hold: Hold;
  release(): void;
}

/** Each failed attempt means that another generation was published meanwhile. */
const ATTEMPTS = 100;

/** Pins what `current` gives. Without flock the snapshot is held in memory only, and `hold` says so. */
export function pinCurrent(indexDir: string, current: () => Snapshot): Pin {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const snapshot = current();
    const support = flockSupport();
    if (!support.ok) return unpinned(snapshot, support.reason);
    const fd = openManifest(snapshot);
    if (fd === null) continue;
    try {
      if (flock(fd, 'shared') && isStillCurrent(indexDir, snapshot, fd)) {
        return { snapshot, hold: { state: 'pinned' }, release: () => closeSync(fd) };
      }
    } catch (error) {
      closeSync(fd);
      return unpinned(snapshot, messageOf(error));
    }
    closeSync(fd);
  }
  throw new IndexError('stale_index', `${indexDir} was published anew ${ATTEMPTS} times while it was being pinned`);
}

function unpinned(snapshot: Snapshot, reason: string): Pin {
  return { snapshot, hold: { state: 'unpinned', reason }, release: () => undefined };
}

/** Null when the payload was taken away since. */
function openManifest({ payloadDir }: Snapshot): number | null {
  try {
    return openSync(join(payloadDir, MANIFEST), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

/** The lock counts only if the pointer still names the generation and the path still names what was locked. */
function isStillCurrent(indexDir: string, { pointer, payloadDir }: Snapshot, fd: number): boolean {
  const now = readPointer(indexDir);
  if (now.kind !== 'ok' || now.value.number !== pointer.number || now.value.token !== pointer.token) return false;
  const named = lstatSync(join(payloadDir, MANIFEST), { bigint: true, throwIfNoEntry: false });
  const open = fstatSync(fd, { bigint: true });
  return named !== undefined && named.ino === open.ino && named.dev === open.dev;
}
