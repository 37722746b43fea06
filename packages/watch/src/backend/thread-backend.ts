/** A backend whose work is done in a thread of its own: its life, and what is told until somebody asks. */
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type Backend, BackendFailure } from './backend.ts';
import { type Batch, emptyBatch, isEmptyBatch, mergeBatches } from './batch.ts';
import { type Control, ORDER, STOP, type ThreadMessage, WORDS } from './thread-messages.ts';

export interface ThreadOptions {
  readonly name: 'polling' | 'inotify';
  readonly available: Backend['available'];
  /** What the thread's entry, `<name>-thread`, is given as its `workerData`. */
  workerData(control: Control): object;
  lagMs(words: Int32Array): number | null;
}

/** A thread that has not ended by itself is ended. */
const CLOSE_GRACE_MS = 800;

type Life =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly thread: Worker; readonly ended: Promise<void> }
  | { readonly kind: 'failed'; readonly failure: BackendFailure }
  | { readonly kind: 'closed' };

interface Waiter {
  resolve(batch: Batch): void;
  reject(failure: BackendFailure): void;
}

export function openThreadBackend({ name, available, workerData, lagMs }: ThreadOptions): Backend {
  const control = new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT);
  const words = new Int32Array(control);
  let life: Life = { kind: 'idle' };
  let pending = emptyBatch();
  let waiter: Waiter | null = null;
  let wakeFd: number | null = null;

  function take(): Batch {
    const batch = pending;
    pending = emptyBatch();
    return batch;
  }

  function fail(detail: string): void {
    if (life.kind !== 'running' && life.kind !== 'idle') return;
    const failure = new BackendFailure(name, detail);
    life = { kind: 'failed', failure };
    waiter?.reject(failure);
  }

  function start(): Promise<void> {
    if (life.kind !== 'idle') return Promise.reject(new BackendFailure(name, 'it was started before'));
    // A scan leaves mostly garbage; a small nursery halves what the thread holds, for the same time.
    const resourceLimits = { maxYoungGenerationSizeMb: 4 };
    const thread = new Worker(entryOf(name), {
      workerData: workerData(control),
      name: `woods-${name}`,
      execArgv: [],
      resourceLimits,
    });
    const ended = new Promise<void>((resolve) => {
      thread.once('exit', () => resolve());
    });
    life = { kind: 'running', thread, ended };
    return new Promise((resolve, reject) => {
      thread.on('message', (message: ThreadMessage) => {
        if (message.kind === 'batch') {
          pending = mergeBatches(pending, message.batch);
          waiter?.resolve(take());
        } else if (message.kind === 'failed') {
          fail(message.detail);
        } else {
          wakeFd = message.wakeFd;
          // From here on whoever waits keeps the process alive with a timer; a watcher that nobody listens to must not.
          thread.unref();
          resolve();
        }
      });
      thread.once('error', (error) => fail(error.message));
      thread.once('exit', () => {
        wakeFd = null;
        fail('its thread ended');
        reject(life.kind === 'failed' ? life.failure : new BackendFailure(name, 'it was closed while it started'));
      });
    });
  }

  function wait(timeoutMs: number): Promise<Batch> {
    if (waiter !== null) return Promise.reject(new BackendFailure(name, 'two callers wait at once'));
    if (!isEmptyBatch(pending)) return Promise.resolve(take());
    if (life.kind === 'failed') return Promise.reject(life.failure);
    if (life.kind !== 'running') return Promise.reject(new BackendFailure(name, `it is ${life.kind}`));
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
    if (wakeFd !== null) wake(wakeFd);
    const grace = setTimeout(() => void before.thread.terminate(), CLOSE_GRACE_MS);
    await before.ended;
    clearTimeout(grace);
  }

  return { name, available, start, wait, lagMs: () => lagMs(words), close };
}

/** Compiled file of a thread: Node cannot run the source next to us when we are run from it by a test runner. */
function entryOf(name: ThreadOptions['name']): URL {
  const directory = import.meta.url.endsWith('.ts') ? '../../dist/backend/' : './';
  return new URL(`${directory}${name}-thread.js`, import.meta.url);
}

/** An eventfd takes an integer of eight bytes; in either byte order this one is above zero. */
function wake(fd: number): void {
  try {
    writeSync(fd, Buffer.from([1, 0, 0, 0, 0, 0, 0, 1]));
  } catch {
    // the thread has closed it: it is on its way out
  }
}
