/** A worker from its first record to its exit code. */
import { EXIT, UsageError } from '@woods/protocol';
import { messageOf } from '../cycle/words.ts';
import { type End, failedEnd, stoppedEnd } from './end.ts';
import { live } from './live.ts';
import { readSettings, type WorkerOptions } from './options.ts';
import { openRecords } from './records.ts';
import { say } from './say.ts';
import { type Resources, shutDown } from './shutdown.ts';
import { onStopSignals } from './signals.ts';

/**
 * Keeps the index of one tree current until it is told to stop, or has to be started again. Resolves with the exit code; the
 * caller exits with it, `exitNow` being the quickest way: threads may still be ending. Throws UsageError for what cannot be
 * done as asked.
 */
export async function runWorker(options: WorkerOptions = {}): Promise<number> {
  const settings = readSettings(options, process.env, process.cwd());
  const held: Resources = { records: openRecords(settings.mode), over: new AbortController() };
  const stop = listenForStops(settings.maxMs);
  try {
    const end = await Promise.race([stop.asked, live(settings, held, say)]);
    return await shutDown(held, end, { threads: 'leave', say });
  } catch (error) {
    if (!(error instanceof UsageError))
      return await shutDown(held, failedEnd(messageOf(error)), { threads: 'leave', say });
    await shutDown(held, { ...failedEnd(null), exitCode: EXIT.usage }, { threads: 'leave', say });
    throw error;
  } finally {
    stop.close();
  }
}

function listenForStops(maxMs: number | null): { asked: Promise<End>; close(): void } {
  let giveBack = (): void => {};
  const asked = new Promise<End>((resolve) => {
    const giveSignalsBack = onStopSignals((signal) => resolve(stoppedEnd(`stopped by ${signal}`)));
    const timer =
      maxMs === null ? undefined : setTimeout(() => resolve(stoppedEnd(`stopped after ${maxMs / 1000} s`)), maxMs);
    giveBack = () => {
      clearTimeout(timer);
      giveSignalsBack();
    };
  });
  return { asked, close: () => giveBack() };
}
