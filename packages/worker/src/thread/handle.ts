/** The main thread's end of the index thread: orders as promises, and a new thread for one that died. */
import { Worker } from 'node:worker_threads';
import type { RunResult } from '@woods/index';
import type { BootCapture } from '../boot/capture.ts';
import { RunFailed, type Runner } from '../cycle/collaborators.ts';
import type { VerifyReason } from '../cycle/plan.ts';
import type { Order, Progress, Reply, ThreadStart } from './messages.ts';

export interface IndexThread extends Runner {
  capture(): Promise<BootCapture>;
  open(): Promise<void>;
  /** Does in a quiet moment what the first change would have to wait for. */
  prepare(): Promise<void>;
  /**
   * Ends it at once, in the middle of whatever it does: an interrupted publish leaves the old generation. An order that it
   * worked on is never answered, so that nothing goes on as if it had failed.
   */
  end(): Promise<void>;
}

interface Living {
  readonly worker: Worker;
  readonly exited: Promise<void>;
  /** The order it works on. */
  waiting: { resolve(reply: Reply): void; reject(error: RunFailed): void } | null;
}

/** Compiled file of the thread: Node cannot run the source next to us when a test runner runs us from it. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/thread/index-thread.js' : './index-thread.js',
  import.meta.url,
);

/** What the published pointer says of why it was made. */
const REASON: Record<VerifyReason, string> = {
  catch_up: 'catch_up',
  overflow: 'full_scan',
  rescan: 'full_scan',
  storm: 'full_scan',
  pending: 'full_scan',
  moved: 'full_scan',
};

export interface ThreadOptions {
  /** Called now and then during a verification: files looked at, and how many there are. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly entry?: URL;
}

/** Nothing is started before the first order. Orders that are given together are worked on one after the other. */
export function openIndexThread(start: ThreadStart, options: ThreadOptions = {}): IndexThread {
  const { onProgress, entry = ENTRY } = options;
  let living: Living | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let ended = false;

  function alive(): Living {
    living ??= beget();
    return living;
  }

  function beget(): Living {
    const worker = new Worker(entry, { workerData: start, name: 'woods-index', execArgv: [] });
    const self: Living = {
      worker,
      waiting: null,
      exited: new Promise((resolve) => worker.once('exit', () => resolve())),
    };
    const die = (message: string): void => {
      if (living === self) living = null;
      if (ended) return;
      self.waiting?.reject(new RunFailed('thread_died', message));
      self.waiting = null;
    };
    worker.on('message', (reply: Reply | Progress) => {
      if (reply.kind === 'progress') return onProgress?.(reply.done, reply.total);
      self.waiting?.resolve(reply);
      self.waiting = null;
    });
    worker.once('error', (error) => die(`the index thread died: ${error.message}`));
    worker.once('exit', (code) => die(`the index thread ended with code ${code}`));
    return self;
  }

  function order(what: Order): Promise<Reply> {
    const turn = last.then(() => {
      return new Promise<Reply>((resolve, reject) => {
        if (ended) return;
        const thread = alive();
        thread.waiting = { resolve, reject };
        thread.worker.postMessage(what);
      });
    });
    last = turn.catch(() => undefined);
    return turn;
  }

  async function run(what: Order): Promise<RunResult> {
    const reply = await order(what);
    if (reply.kind === 'ran') return reply.result;
    throw unexpected(reply);
  }

  return {
    capture: async () => {
      const reply = await order({ kind: 'capture' });
      if (reply.kind === 'captured') return reply.capture;
      throw unexpected(reply);
    },
    open: async () => {
      const reply = await order({ kind: 'open' });
      if (reply.kind !== 'opened') throw unexpected(reply);
    },
    prepare: async () => {
      const reply = await order({ kind: 'prepare' });
      if (reply.kind !== 'prepared') throw unexpected(reply);
    },
    update: (paths) => run({ kind: 'update', paths: [...paths], reason: 'incremental' }),
    verify: (reason) => run({ kind: 'reconcile', reason: REASON[reason] }),
    end: async () => {
      ended = true;
      const thread = living;
      if (thread === null) return;
      await Promise.all([thread.worker.terminate(), thread.exited]);
    },
  };
}

function unexpected(reply: Reply): RunFailed {
  if (reply.kind === 'failed') return new RunFailed(reply.cause, reply.message);
  return new RunFailed('extraction_failed', `the index thread answered with ${reply.kind}`);
}
