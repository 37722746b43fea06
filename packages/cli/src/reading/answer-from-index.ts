import { type Hold, type IndexQueries, openReader } from '@woods/index';
import { Failure } from '../errors/failure.ts';
import { toFailure } from '../errors/translate.ts';
import type { CommonOptions } from '../options/common.ts';
import { type Answer, failureAnswer } from '../output/answer.ts';
import { refuseOddIndexDirectory } from '../place/index-directory.ts';
import { findPlace } from '../place/place.ts';
import type { Session } from '../session.ts';
import { lookAtWatch, type WatchView } from '../watching/look.ts';
import { watchJson } from '../watching/words.ts';
import { stalenessLine } from './freshness.ts';

/**
 * Asks the published index, all questions of one generation, and adds to the answer how current that is: `index`, `watch`
 * and `held` with `--json`, one line on stderr when it may be stale. A failure carries them too: a name may be unknown
 * only because the index is old.
 */
export async function answerFromIndex(
  session: Session,
  options: CommonOptions,
  ask: (queries: IndexQueries) => Answer,
): Promise<Answer> {
  const { indexDir } = findPlace(session, options);
  const watch = lookAtWatch(indexDir, session);
  const reader = openReader(indexDir);
  try {
    if (refuseOddIndexDirectory(indexDir) === 'missing') throw noIndex(indexDir);
    return reader.pinned((queries, hold) => {
      const freshness = freshnessOf(queries, { indexDir, watch, hold });
      const answer = answerOrFailure(() => ask(queries));
      return {
        ...answer,
        json: { ...freshness.json, ...answer.json },
        words: [...answer.words, ...freshness.words],
      };
    });
  } catch (error) {
    const answer = failureAnswer(explained(toFailure(error), indexDir));
    return { ...answer, json: { ...answer.json, watch: watchJson(watch) } };
  } finally {
    reader.close();
  }
}

function freshnessOf(
  queries: IndexQueries,
  { indexDir, watch, hold }: { indexDir: string; watch: WatchView; hold: Hold },
): Pick<Answer, 'json' | 'words'> {
  const generation = queries.generation();
  const held = queries.held();
  const stale = stalenessLine({ watch, held, generation, now: Date.now() });
  const unpinned = hold.state === 'pinned' ? null : `the generation could not be pinned meanwhile: ${hold.reason}`;
  return {
    json: {
      index: { directory: indexDir, generation: generation.number, published_at: generation.publishedAt },
      watch: watchJson(watch),
      held,
    },
    words: [stale, unpinned].filter((line) => line !== null),
  };
}

function answerOrFailure(ask: () => Answer): Answer {
  try {
    return ask();
  } catch (error) {
    return failureAnswer(toFailure(error));
  }
}

function explained(failure: Failure, indexDir: string): Failure {
  return failure.code === 'empty_index' ? noIndex(indexDir) : failure;
}

function noIndex(indexDir: string): Failure {
  return new Failure('empty_index', `there is no index in ${indexDir}`, {
    hint: 'run `npx woods-watch` to keep one, or `woods extract` to make one now',
  });
}
