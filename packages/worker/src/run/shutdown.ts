/** The end of a worker, in the one order in which nothing is lost and nobody is told too early. */
import type { Backend, Settler } from '@woods/watch';
import type { HeldClaim } from '../claim/claim.ts';
import type { Daemon } from '../cycle/daemon.ts';
import { NO_CHANGES } from '../policy/sort.ts';
import type { StatusSink } from '../status/sink.ts';
import type { IndexThread } from '../thread/handle.ts';
import type { End } from './end.ts';
import type { OwnedGate } from './gate.ts';
import { changesOf } from './intake.ts';
import type { Records } from './records.ts';

/** What a boot has come to have; each part is there once it has to be taken back. */
export interface Resources {
  readonly records: Records;
  /** Aborted when the end has begun: whatever is still on its way then has nothing to say any more. */
  readonly over: AbortController;
  claim?: HeldClaim;
  status?: StatusSink;
  thread?: IndexThread;
  gate?: OwnedGate;
  backend?: Backend;
  settler?: Settler;
  daemon?: Daemon;
}

/** Threads that do not end by then are left to the end of the process. */
const GRACE_MS = 1000;

/**
 * The supervisor hears of it first, and the locks go last. From `end()` on a thread runs nothing but the system call that
 * it is in; what then takes its time is dismantling its heap. Whoever ends with the process need not wait for that.
 */
export async function shutDown(
  held: Resources,
  end: End,
  options: { readonly threads: 'wait' | 'leave'; readonly say: (line: string) => void },
): Promise<number> {
  held.over.abort();
  if (end.terminal !== null) held.records.terminal(end.terminal);
  const ended = Promise.allSettled([held.thread?.end(), held.backend?.close()]);
  if (end.line !== null) options.say(end.line);
  if (end.status === 'stopped') held.status?.stopped();
  else held.status?.close();
  held.daemon?.leave(held.settler === undefined ? NO_CHANGES : changesOf(held.settler.take()));
  if (options.threads === 'wait') await within(GRACE_MS, ended);
  held.gate?.releaseNow();
  held.claim?.release();
  await held.records.close();
  return end.exitCode;
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
