import type { IndexQueries, SearchOptions, SearchResult } from '@woods/index';
import type { Answer } from '../output/answer.ts';
import { columns, onOneLine } from '../output/words.ts';
import { summaryJson } from './unit-json.ts';
import { unknownLine } from './unknown-line.ts';

const PARTIAL: Readonly<Record<NonNullable<SearchResult['reason']>, string>> = {
  limit: '--limit raises that',
  time_limit: 'the regular expression took too long; make it simpler',
  source_budget: 'too many lines match; narrow it with --type or --path',
};

/** The answer of `woods search`: 1 when nothing matches. */
export function searchAnswer(queries: IndexQueries, options: SearchOptions): Answer {
  const { hits, total, partial, reason, notes } = queries.search(options);
  return {
    exitCode: hits.length === 0 ? 1 : 0,
    json: {
      pattern: options.pattern,
      hits: hits.map(({ unit, field, kind, line, text }) => ({ ...summaryJson(unit), line, field, kind, text })),
      total,
      partial,
      reason,
      notes,
    },
    text: columns(hits.map(hitRow)),
    words: [
      ...notes,
      hits.length === 0 ? `nothing matches ${onOneLine(options.pattern)}` : null,
      reason === null ? null : `the answer is partial, ${hits.length} of ${total} matches: ${PARTIAL[reason]}`,
      unknownLine('units of type', options.types, queries.manifest().counts),
    ].filter((line) => line !== null),
  };
}

function hitRow({ unit, line, text }: SearchResult['hits'][number]): string[] {
  const place = `${onOneLine(unit.path)}:${line}`;
  return [onOneLine(unit.identifier), unit.type, place, ...(text === null ? [] : [onOneLine(text)])];
}
