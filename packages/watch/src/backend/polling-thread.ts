/** Entry of the polling thread: scan, tell, sleep on the shared word; nothing here waits for an event loop. */
import { parentPort, workerData } from 'node:worker_threads';
import { ScanStopped } from '../scan/errors.ts';
import { pollDelay } from './interval.ts';
import { openPoller } from './poller.ts';
import { LAG, ORDER, type PollingMessage, type PollingStart, RUN, STOP } from './thread-messages.ts';

// polling.ts is the only one to start this file, and with this type.
run(workerData as PollingStart);

function run({ options, intervalMs, control }: PollingStart): void {
  const words = new Int32Array(control);
  const stopped = (): boolean => Atomics.load(words, ORDER) === STOP;
  try {
    const poller = openPoller(options, stopped);
    for (let scans = 0; !stopped(); scans += 1) {
      const startedMs = performance.now();
      const pass = poller.pass();
      const scanMs = performance.now() - startedMs;
      const root = poller.suspended() ? 'missing' : 'present';
      const delayMs = pollDelay({ intervalMs, scanMs, root });
      Atomics.store(words, LAG, Math.ceil(delayMs + scanMs));
      if (scans === 0) tell({ kind: 'ready' });
      if (pass.paths.length > 0 || pass.reason !== null) tell({ kind: 'pass', pass });
      Atomics.wait(words, ORDER, RUN, delayMs);
    }
  } catch (error) {
    if (!(error instanceof ScanStopped)) throw error;
  }
}

function tell(message: PollingMessage): void {
  parentPort?.postMessage(message);
}
