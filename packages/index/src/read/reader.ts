/** Reading a published index: always the newest generation, or one held for as long as a set of questions takes. */
import { IndexError } from '../errors.ts';
import { openCurrent } from './current.ts';
import { type Hold, pinCurrent } from './pin.ts';
import { type IndexQueries, queriesOver } from './queries.ts';
import type { Snapshot } from './snapshot.ts';

export interface IndexReader extends IndexQueries {
  /**
   * Answers all of `read`'s questions from one generation, which is kept on disk meanwhile; when `read` returns a
   * promise, until that is settled. `hold` says where it could not be kept.
   */
  pinned<T>(read: (queries: IndexQueries, hold: Hold) => T): T;
  /** Lets go of the memory; further questions throw. */
  close(): void;
}

/** Opens nothing yet: an index that is not there is an error of the first question. Starts and writes nothing. */
export function openReader(indexDir: string): IndexReader {
  let current: ReturnType<typeof openCurrent> | null = openCurrent(indexDir);
  const snapshot = (): Snapshot => {
    if (current === null) throw new IndexError('internal_error', 'the reader is closed');
    return current.get();
  };
  return {
    ...queriesOver((answer) => answerFromCurrent(snapshot, answer)),
    pinned: (read) => {
      const pin = pinCurrent(indexDir, snapshot);
      return thenRelease(
        () =>
          read(
            queriesOver((answer) => answer(pin.snapshot)),
            pin.hold,
          ),
        pin.release,
      );
    },
    close: () => {
      current = null;
    },
  };
}

/** Texts are read when they are asked for; when their payload was pruned in between, the new generation answers. */
function answerFromCurrent<T>(snapshot: () => Snapshot, answer: (snapshot: Snapshot) => T): T {
  const asked = snapshot();
  try {
    return answer(asked);
  } catch (error) {
    if (!(error instanceof IndexError) || error.code !== 'corrupt_artifact') throw error;
    const now = snapshot();
    if (now === asked) throw error;
    return answer(now);
  }
}

function thenRelease<T>(action: () => T, release: () => void): T {
  let result: T;
  try {
    result = action();
  } catch (error) {
    release();
    throw error;
  }
  if (result instanceof Promise) {
    // `finally` keeps value and type; the compiler only knows T.
    return result.finally(release) as T;
  }
  release();
  return result;
}
