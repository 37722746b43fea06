/** What happens between `ready` and the end: wait, settle, run a cycle, and try again what could not be done. */
import { type Backend, isEmptyBatch, type Settler } from '@woods/watch';
import { retryDelayMs } from '../cycle/back-off.ts';
import type { CycleResult, Daemon } from '../cycle/daemon.ts';
import { messageOf } from '../cycle/words.ts';
import type { Learned } from '../policy/classify.ts';
import { type End, failedEnd, idleEnd, restartEnd, stoppedEnd } from './end.ts';
import { changesOf, relevant, rootIsGone } from './intake.ts';

export interface LoopParts {
  readonly backend: Pick<Backend, 'wait'>;
  readonly settler: Settler;
  readonly daemon: Daemon;
  readonly learned: Learned;
  readonly run: 'managed' | 'unmanaged';
  /** Quiet time after which the worker ends; null: never. */
  readonly idleTimeoutMs: number | null;
  /** Aborted when the worker is being ended from outside; whatever the loop resolves with then is not heard. */
  readonly over: AbortSignal;
  /** Age of git's index.lock; null when there is none. */
  indexLockMs(): number | null;
  say(line: string): void;
  /** Monotonic, in ms. */
  now(): number;
}

/** Nothing to wait for but events; any time will do. */
const LONG_MS = 3_600_000;
/** An index thread that dies this often in a row dies of what it is asked to do. */
const MAX_DEATHS = 3;

/** Never rejects; ends when the worker cannot go on, or has been idle for long enough. */
export async function watchLoop(parts: LoopParts): Promise<End> {
  const { backend, settler, daemon, learned, idleTimeoutMs, now } = parts;
  let activeMs = now();
  let failures = 0;
  let deaths = 0;
  let retryMs: number | null = null;
  let suspended = false;

  const isDue = (): boolean => settler.due({ indexLockMs: parts.indexLockMs() }) === 0;

  /** Work that is owed is no idleness. */
  const idleLeftMs = (): number =>
    idleTimeoutMs === null || retryMs !== null ? LONG_MS : activeMs + idleTimeoutMs - now();

  function timeout(): number {
    if (suspended) return LONG_MS;
    const due = settler.due({ indexLockMs: parts.indexLockMs() }) ?? LONG_MS;
    const retry = retryMs === null ? LONG_MS : retryMs - now();
    return Math.ceil(Math.max(0, Math.min(due, retry, idleLeftMs())));
  }

  function afterCycle({ action }: CycleResult): End | null {
    if (action === 'restart') return restartEnd(parts.run);
    if (action === 'none') return null;
    activeMs = now();
    const { trouble, pending } = daemon.condition();
    failures = pending === 0 ? 0 : failures + 1;
    deaths = trouble?.reason === 'thread_died' ? deaths + 1 : 0;
    if (deaths >= MAX_DEATHS) return failedEnd(`gave up after ${deaths} attempts: ${trouble?.message}`);
    const cause = trouble?.reason === 'contended' ? 'contended' : 'failed';
    retryMs = failures === 0 ? null : now() + retryDelayMs(failures, cause);
    return null;
  }

  async function turn(): Promise<End | null> {
    const told = await backend.wait(timeout());
    if (parts.over.aborted) return stoppedEnd(null);
    const batch = relevant(told, learned);
    if (rootIsGone(batch)) {
      suspended = true;
      parts.say('the root is missing; waiting for it to come back, and keeping what is published');
      return null;
    }
    if (!isEmptyBatch(batch)) activeMs = now();
    if (batch.overflow) suspended = false;
    settler.note(batch);
    if (suspended) return null;
    if (isDue()) return afterCycle(await daemon.cycle(changesOf(settler.take())));
    if (retryMs !== null && retryMs <= now()) return afterCycle(await daemon.retry());
    return idleTimeoutMs !== null && idleLeftMs() <= 0 ? idleEnd(idleTimeoutMs / 1000) : null;
  }

  if (daemon.condition().pending !== 0) {
    failures = 1;
    retryMs = now() + retryDelayMs(1, 'contended');
  }
  try {
    for (;;) {
      const end = await turn();
      if (end !== null) return end;
    }
  } catch (error) {
    if (parts.over.aborted) return stoppedEnd(null);
    daemon.fail({ reason: 'backend_failed', message: messageOf(error) });
    return failedEnd(null);
  }
}
