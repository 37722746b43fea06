/** Entry of the polling thread: scan, tell, sleep on the shared word; nothing here waits for an event loop. */
import { workerData } from 'node:worker_threads';
import { openIgnore } from '../ignore/rules.ts';
import { ScanStopped } from '../scan/errors.ts';
import { isEmptyBatch } from './batch.ts';
import { pollDelay } from './interval.ts';
import { openPoller } from './poller.ts';
import type { PollingStart } from './polling.ts';
import { tell } from './tell.ts';
import { LAG, ORDER, RUN, STOP } from './thread-messages.ts';

// polling.ts is the only one to start this file, and with this type.
run(workerData as PollingStart);

function run({ options, intervalMs, control }: PollingStart): void {
  const words = new Int32Array(control);
  const shouldStop = (): boolean => Atomics.load(words, ORDER) === STOP;
  try {
    const poller = openPoller(options, { ignore: openIgnore(options), shouldStop });
    for (let scans = 0; !shouldStop(); scans += 1) {
      const startedMs = performance.now();
      const { paths, overflow, reason } = poller.pass();
      const scanMs = performance.now() - startedMs;
      const root = poller.suspended() ? 'missing' : 'present';
      const delayMs = pollDelay({ intervalMs, scanMs, scan: scans === 0 ? 'first' : 'later', root });
      Atomics.store(words, LAG, Math.ceil(delayMs + scanMs));
      if (scans === 0) tell({ kind: 'ready', wakeFd: null });
      const batch = { paths: new Set(paths), dirs: new Set<string>(), overflow, reason };
      if (!isEmptyBatch(batch)) tell({ kind: 'batch', batch });
      Atomics.wait(words, ORDER, RUN, delayMs);
    }
  } catch (error) {
    if (!(error instanceof ScanStopped)) throw error;
  }
}
