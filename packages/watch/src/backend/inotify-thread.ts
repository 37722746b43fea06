/** Entry of the inotify thread: wait in the kernel, tell, and come back to Node between two turns so that it can be ended. */
import { readFileSync } from 'node:fs';
import { setImmediate as comeBack } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { errnoOf } from '@woods/protocol';
import { ScanStopped } from '../scan/errors.ts';
import { isEmptyBatch } from './batch.ts';
import { probeEvents } from './inotify/probe.ts';
import { WatchLimit } from './inotify/watch-set.ts';
import { openWatcher } from './inotify/watcher.ts';
import type { InotifyStart } from './inotify.ts';
import { tell } from './tell.ts';
import { ORDER, RUN, STOP } from './thread-messages.ts';

/** While events pour in, those of a few milliseconds are told at once. */
const GATHER_MS = 4;

// inotify.ts is the only one to start this file, and with this type.
await run(workerData as InotifyStart);

async function run({ options, control }: InotifyStart): Promise<void> {
  const words = new Int32Array(control);
  const shouldStop = (): boolean => Atomics.load(words, ORDER) === STOP;
  try {
    const silent = probeEvents(options.indexDir);
    if (silent !== null) return tell({ kind: 'failed', detail: silent });
    const watcher = openWatcher(options, shouldStop);
    try {
      tell({ kind: 'ready', wakeFd: watcher.wakeFd });
      while (!shouldStop()) {
        const batch = watcher.turn();
        if (!isEmptyBatch(batch)) {
          tell({ kind: 'batch', batch });
          Atomics.wait(words, ORDER, RUN, GATHER_MS);
        }
        await comeBack();
      }
    } finally {
      watcher.close();
    }
  } catch (error) {
    if (!(error instanceof ScanStopped)) tell({ kind: 'failed', detail: inWords(error) });
  }
}

function inWords(error: unknown): string {
  if (error instanceof WatchLimit) {
    return `${error.message} and no more may be (fs.inotify.max_user_watches is ${limit('max_user_watches')}; raise it with: sudo sysctl fs.inotify.max_user_watches=524288)`;
  }
  if (errnoOf(error) === 'EMFILE') {
    return `too many programs watch files (fs.inotify.max_user_instances is ${limit('max_user_instances')}; raise it with: sudo sysctl fs.inotify.max_user_instances=1024)`;
  }
  return error instanceof Error ? error.message : String(error);
}

function limit(name: string): string {
  try {
    return readFileSync(`/proc/sys/fs/inotify/${name}`, 'utf8').trim();
  } catch {
    return 'not known';
  }
}
