/** The index directory's writer lock, for the time of one run. */
import { acquireWriterLock, LockBusy, type WriterLock } from '@woods/index';
import type { WriterGate } from '../cycle/collaborators.ts';

export interface OwnedGate extends WriterGate {
  /** For the end of the process, when the run that holds the lock is over without having said so. */
  releaseNow(): void;
}

/** A lock that nobody touches for 600 s counts as left behind. */
const TOUCH_MS = 30_000;

export function openGate(indexDir: string, options: { waitMs: number }, acquire = acquireWriterLock): OwnedGate {
  let release: (() => void) | null = null;

  function hold(lock: WriterLock): () => void {
    const touching = setInterval(() => touch(lock), TOUCH_MS);
    touching.unref();
    return () => {
      clearInterval(touching);
      release = null;
      lock.release();
    };
  }

  return {
    lock: async () => {
      try {
        release = hold(await acquire(indexDir, { name: 'watch', waitMs: options.waitMs }));
        return { kind: 'held', release };
      } catch (error) {
        if (error instanceof LockBusy) return { kind: 'busy', message: error.message };
        throw error;
      }
    },
    releaseNow: () => release?.(),
  };
}

function touch(lock: WriterLock): void {
  try {
    lock.touch();
  } catch {
    // somebody removed the lock, or the whole directory: the run fails or is overtaken, and the next cycle sees which
  }
}
