/** Entry of the index thread: takes orders one by one. Whatever blocks for longer than a moment happens here. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Indexer, openIndexer, PublishError } from '@woods/index';
import { captureBoot } from '../boot/capture.ts';
import { messageOf } from '../cycle/words.ts';
import type { Order, Progress, Reply, ThreadStart } from './messages.ts';

const PROGRESS_MS = 200;

// handle.ts is the only one to start this file, and with this type.
const start = workerData as ThreadStart;
let indexer: Promise<Indexer> | null = null;

parentPort?.on('message', (order: Order) => {
  obey(order)
    .catch((error: unknown): Reply => {
      const cause = error instanceof PublishError ? 'publish_failed' : 'extraction_failed';
      return { kind: 'failed', cause, message: messageOf(error) };
    })
    .then((reply) => parentPort?.postMessage(reply));
});

async function obey(order: Order): Promise<Reply> {
  if (order.kind === 'capture') return { kind: 'captured', capture: await captureBoot(treeOptions()) };
  indexer ??= openIndexer(start);
  const open = await indexer.catch((error: unknown) => {
    indexer = null;
    throw error;
  });
  switch (order.kind) {
    case 'open':
      return { kind: 'opened' };
    case 'update':
      return { kind: 'ran', result: await open.update({ paths: new Set(order.paths), reason: order.reason }) };
    case 'reconcile':
      return { kind: 'ran', result: await open.reconcile({ reason: order.reason, onProgress: throttled() }) };
    case 'prepare':
      await open.prepare();
      return { kind: 'prepared' };
  }
}

/** The main thread is not woken for every file. */
function throttled(): (done: number, total: number) => void {
  let told = 0;
  return (done, total) => {
    const now = performance.now();
    if (done < total && now - told < PROGRESS_MS) return;
    told = now;
    parentPort?.postMessage({ kind: 'progress', done, total } satisfies Progress);
  };
}

function treeOptions() {
  const { root, indexDir, config } = start;
  return { root, indexDir, include: config.include, exclude: config.exclude };
}
