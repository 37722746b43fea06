import type { IndexQueries } from '@woods/index';
import type { Answer } from '../output/answer.ts';

/** The answer of `woods export --canonical`; the lines are made once, for the form that is asked for. */
export function exportAnswer(queries: IndexQueries, format: 'text' | 'json'): Answer {
  const lines = queries.canonical();
  if (format === 'text') return { exitCode: 0, json: {}, text: lines, words: [] };
  const values = Array.from(lines, (line): unknown => JSON.parse(line));
  return { exitCode: 0, json: { canonical: values }, text: [], words: [] };
}
