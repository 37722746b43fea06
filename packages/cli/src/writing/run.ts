import { acquireWriterLock, type Indexer, openIndexer, type RunResult, type WriterLock } from '@woods/index';
import { readVariable, VARIABLE } from '@woods/protocol';
import type { Answer } from '../output/answer.ts';
import { duration } from '../output/words.ts';
import type { Place } from '../place/place.ts';
import type { Session } from '../session.ts';
import { lockWaitMs } from './lock-wait.ts';
import { progressOf } from './progress.ts';
import { phaseLines, runAnswer } from './run-answer.ts';

/** What a run is given beside its own arguments. */
export interface Watched {
  readonly lock: WriterLock;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * One run of the indexer under the writer lock. There is no signal handler: Ctrl-C ends the process at once, whatever it
 * does, and the next writer sees that the lock's holder is dead. Nothing half published is ever visible.
 */
export async function runUnderLock(
  session: Session,
  place: Place,
  job: { name: string; run(indexer: Indexer, watched: Watched): Promise<RunResult> },
): Promise<Answer> {
  const { env, terminal } = session;
  const waitMs = lockWaitMs(env);
  const { root, indexDir, config } = place;
  const lock = await acquireWriterLock(indexDir, {
    name: job.name,
    waitMs,
    onWait: (holder) => {
      const what =
        holder === null
          ? 'while extraction.lock names nobody: it is taken away in 5 s, unless a process holds it'
          : `for ${holder.name} (pid ${holder.pid}), which writes this index now`;
      if (waitMs > 0) terminal.say(`waiting up to ${duration(waitMs)} ${what}`);
    },
  });
  try {
    const indexer = await openIndexer({ root, indexDir, config });
    try {
      const result = await job.run(indexer, { lock, onProgress: progressOf(job.name, terminal) });
      if (readVariable(env, VARIABLE.profile) === '1') for (const line of phaseLines(result)) terminal.say(line);
      return runAnswer(result, place);
    } finally {
      await indexer.close();
    }
  } finally {
    lock.release();
  }
}
