import type { RunResult } from '@woods/index';
import type { Answer } from '../output/answer.ts';
import { count, duration, grouped, onOneLine } from '../output/words.ts';
import type { Place } from '../place/place.ts';

/** The answer of `woods extract` and `woods incremental`. */
export function runAnswer(result: RunResult, { root, indexDir }: Pick<Place, 'root' | 'indexDir'>): Answer {
  const { outcome, pointer, files, units, edges, changed, removed, held, skipped, durationMs } = result;
  return {
    exitCode: 0,
    json: {
      outcome,
      generation: pointer?.number ?? null,
      files: files + skipped,
      units,
      edges,
      changed,
      removed,
      skipped,
      held,
      duration_ms: Math.round(durationMs),
      root,
      index: indexDir,
    },
    text: [headline(result), `  index ${onOneLine(indexDir)}`],
    words: held.map(
      ({ path, line, reason }) => `held at its last good state: ${onOneLine(path)}:${line} ${onOneLine(reason)}`,
    ),
  };
}

function headline(result: RunResult): string {
  const { outcome, pointer, files, units, edges, changed, removed, skipped, durationMs } = result;
  const generation = pointer === null ? 'no generation' : `generation ${pointer.number}`;
  const skips = skipped === 0 ? '' : ` (${grouped(skipped)} skipped)`;
  const size = `${count(files + skipped, 'file')}${skips}, ${count(units, 'unit')}, ${count(edges, 'edge')}`;
  if (outcome === 'unchanged') return `nothing changed, ${generation} stands: ${size} (${duration(durationMs)})`;
  return `published ${generation} in ${duration(durationMs)}: ${size}; ${count(changed, 'file')} recorded, ${removed} removed`;
}

/** The phases of a run in milliseconds, and their sum, for WOODS_PROFILE=1. */
export function phaseLines({ phases, durationMs }: Pick<RunResult, 'phases' | 'durationMs'>): string[] {
  return [...phases, ['total', durationMs] as const].map(([phase, ms]) => `${phase}: ${ms.toFixed(1)} ms`);
}
