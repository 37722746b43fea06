import { type Environment, readVariable, VARIABLE } from '@woods/protocol';
import type { Answer } from '../output/answer.ts';
import type { Place } from '../place/place.ts';
import type { WatchView } from '../watching/look.ts';

/** The live worker that does the work of `woods incremental` anyway. */
export interface CoveringWorker {
  readonly pid: number;
  readonly generation: number | null;
}

/**
 * Null when none covers the tree. One that is degraded does not: what it is degraded by may be the very thing that the
 * caller wants to be indexed. One that is suspended does not either.
 */
export function coveredBy(watch: WatchView, env: Environment): CoveringWorker | null {
  if (readVariable(env, VARIABLE.ignoreWatch) === '1') return null;
  if (watch.verdict !== 'alive' || watch.status.kind !== 'ok' || watch.status.value.state !== 'running') return null;
  const { pid, generation } = watch.status.value;
  return { pid, generation };
}

/** What `woods incremental` says instead of running. */
export function standDownAnswer({ pid, generation }: CoveringWorker, { root, indexDir }: Place): Answer {
  return {
    exitCode: 0,
    json: { outcome: 'stood_down', generation, worker_pid: pid, root, index: indexDir },
    text: [],
    words: [`stood down: the worker (pid ${pid}) is running and covers this tree; WOODS_IGNORE_WATCH=1 runs anyway`],
  };
}
