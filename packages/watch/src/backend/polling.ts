import { Worker } from 'node:worker_threads';
import { type Backend, BackendFailure } from './backend.ts';
import { type Batch, emptyBatch, isEmptyBatch, mergeBatches } from './batch.ts';
import type { Pass, PollerOptions } from './poller.ts';
import { rootIdentity } from './root.ts';
import { LAG, ORDER, type PollingMessage, type PollingStart, STOP, WORDS } from './thread-messages.ts';

export interface PollingOptions extends PollerOptions {
  /** Shortest time between two scans, milliseconds; a tree that takes long to scan is scanned less often. */
  readonly intervalMs: number;
}

/** A thread that has not ended by itself is ended. */
const CLOSE_GRACE_MS = 800;

/** Compiled file of the thread: Node cannot run the source next to us when we are run from it by a test runner. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/backend/polling-thread.js' : './polling-thread.js',
  import.meta.url,
);

type Life =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly thread: Worker; readonly ended: Promise<void> }
  | { readonly kind: 'failed'; readonly failure: BackendFailure }
  | { readonly kind: 'closed' };

interface Waiter {
  resolve(batch: Batch): void;
  reject(failure: BackendFailure): void;
}

/** Watches by scanning again and again in a thread of its own. Works on every file system; a change is seen one interval later. */
export function openPolling(options: PollingOptions): Backend {
  const control = new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT);
  const words = new Int32Array(control);
  let life: Life = { kind: 'idle' };
  let pending = emptyBatch();
  let waiter: Waiter | null = null;

  function take(): Batch {
    const batch = pending;
    pending = emptyBatch();
    return batch;
  }

  function onPass({ paths, overflow, reason }: Pass): void {
    pending = mergeBatches(pending, { paths: new Set(paths), dirs: new Set(), overflow, reason });
    waiter?.resolve(take());
  }

  function fail(detail: string): void {
    if (life.kind !== 'running' && life.kind !== 'idle') return;
    const failure = new BackendFailure('polling', detail);
    life = { kind: 'failed', failure };
    waiter?.reject(failure);
  }

  function start(): Promise<void> {
    if (life.kind !== 'idle') return Promise.reject(new BackendFailure('polling', 'it was started before'));
    const { intervalMs, root, indexDir, include, exclude, extra } = options;
    const workerData: PollingStart = { options: { root, indexDir, include, exclude, extra }, intervalMs, control };
    // A scan leaves mostly garbage; a small nursery halves what the thread holds, for the same time.
    const resourceLimits = { maxYoungGenerationSizeMb: 4 };
    const thread = new Worker(THREAD, { workerData, name: 'woods-polling', execArgv: [], resourceLimits });
    const ended = new Promise<void>((resolve) => {
      thread.once('exit', () => resolve());
    });
    life = { kind: 'running', thread, ended };
    return new Promise((resolve, reject) => {
      thread.on('message', (message: PollingMessage) => {
        if (message.kind === 'pass') return onPass(message.pass);
        // From here on whoever waits keeps the process alive with a timer; a watcher that nobody listens to must not.
        thread.unref();
        resolve();
      });
      thread.once('error', (error) => fail(error.message));
      thread.once('exit', () => {
        fail('its thread ended');
        reject(life.kind === 'failed' ? life.failure : new BackendFailure('polling', 'it was closed while it started'));
      });
    });
  }

  function wait(timeoutMs: number): Promise<Batch> {
    if (waiter !== null) return Promise.reject(new BackendFailure('polling', 'two callers wait at once'));
    if (!isEmptyBatch(pending)) return Promise.resolve(take());
    if (life.kind === 'failed') return Promise.reject(life.failure);
    if (life.kind !== 'running') return Promise.reject(new BackendFailure('polling', `it is ${life.kind}`));
    return new Promise<Batch>((resolve, reject) => {
      const timer = setTimeout(() => waiter?.resolve(emptyBatch()), timeoutMs);
      const settled = (): void => {
        clearTimeout(timer);
        waiter = null;
      };
      waiter = {
        resolve: (batch) => {
          settled();
          resolve(batch);
        },
        reject: (failure) => {
          settled();
          reject(failure);
        },
      };
    });
  }

  async function close(): Promise<void> {
    const before = life;
    if (before.kind !== 'failed') life = { kind: 'closed' };
    waiter?.resolve(emptyBatch());
    if (before.kind !== 'running') return;
    Atomics.store(words, ORDER, STOP);
    Atomics.notify(words, ORDER);
    const grace = setTimeout(() => void before.thread.terminate(), CLOSE_GRACE_MS);
    await before.ended;
    clearTimeout(grace);
  }

  return {
    name: 'polling',
    available: async () =>
      rootIdentity(options.root) === null
        ? { ok: false, reason: `${options.root} is not a directory that can be reached` }
        : { ok: true },
    start,
    wait,
    lagMs: () => Atomics.load(words, LAG),
    close,
  };
}
