/** Which generation is current: one `stat` a question, and a reload only when the pointer has moved. */
import { type BigIntStats, statSync } from 'node:fs';
import { pointerPath } from '@woods/protocol';
import { IndexError } from '../errors.ts';
import { currentPointer, openGeneration } from '../store/generation/load.ts';
import { createSegmentCache } from '../store/generation/segment-cache.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';

export interface CurrentSnapshot {
  /** Throws IndexError `empty_index` or `corrupt_artifact`. */
  get(): Snapshot;
}

interface Loaded {
  readonly snapshot: Snapshot;
  readonly stamp: Stamp;
}

interface Stamp {
  readonly mtimeNs: bigint;
  readonly size: bigint;
  readonly ino: bigint;
  /** Whether the pointer was old enough that a later one must have another time. */
  readonly settled: boolean;
}

/** Coarser than the clock of any file system in use: two pointers written within it may look the same to `stat`. */
const CLOCK_GRAIN_NS = 50_000_000n;
/** A payload can be taken away between pointer and segments, but only by a publish, so the next try sees another. */
const ATTEMPTS = 5;

export function openCurrent(indexDir: string): CurrentSnapshot {
  const path = pointerPath(indexDir);
  const cache = createSegmentCache();
  let loaded: Loaded | null = null;

  const load = (stamp: Stamp): Loaded => {
    const pointer = currentPointer(indexDir);
    const known = loaded?.snapshot;
    const same =
      known !== undefined && known.pointer.number === pointer.number && known.pointer.token === pointer.token;
    if (same) return { stamp, snapshot: known };
    const generation = openGeneration(indexDir, pointer, cache);
    cache.keepOnly(generation.manifest.segments);
    return { stamp, snapshot: snapshotOf(generation) };
  };

  return {
    get: () => {
      for (let attempt = 1; ; attempt += 1) {
        // Before the pointer is read: a pointer that comes between shows at the next question.
        const stamp = stampOf(path);
        if (loaded?.stamp.settled && isSame(loaded.stamp, stamp)) return loaded.snapshot;
        try {
          loaded = load(stamp);
          return loaded.snapshot;
        } catch (error) {
          const moved = !isSame(stamp, stampOf(path));
          if (!moved || attempt === ATTEMPTS || !(error instanceof IndexError)) throw error;
        }
      }
    },
  };
}

/** All zero when there is no pointer. */
function stampOf(path: string): Stamp {
  const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return { mtimeNs: 0n, size: 0n, ino: 0n, settled: false };
  const { mtimeNs, size, ino } = stats;
  return { mtimeNs, size, ino, settled: BigInt(Date.now()) * 1_000_000n - mtimeNs > CLOCK_GRAIN_NS };
}

function isSame(a: Stamp, b: Stamp): boolean {
  return a.mtimeNs === b.mtimeNs && a.size === b.size && a.ino === b.ino;
}
