import type { IndexQueries, UnitDetail, UnitSummary } from '@woods/index';
import { Failure } from '../errors/failure.ts';
import { columns, count, onOneLine } from '../output/words.ts';
import { summaryJson } from './unit-json.ts';

/** More than a person reads, and enough that no list in practice is cut. */
const MAX_CANDIDATES = 1_000;

/**
 * The one unit that a name or identifier means. Fails with all candidates when there are several, and with the nearest
 * names when there is none.
 */
export function unitNamed(queries: IndexQueries, name: string): UnitDetail {
  const found = queries.lookup(name, { limit: MAX_CANDIDATES });
  if (found.kind === 'found') return found.unit;
  if (found.kind === 'ambiguous') throw ambiguous(name, found.candidates, found.total);
  throw unknown(name, found.nearest);
}

function ambiguous(name: string, candidates: readonly UnitSummary[], total: number): Failure {
  const rest = total - candidates.length;
  return new Failure('ambiguous', `${count(total, 'unit')} are called ${onOneLine(name)}`, {
    hint: 'ask for one of them by its identifier',
    detail: { candidates: candidates.map(summaryJson), total },
    lines: [...summaryLines(candidates), ...(rest > 0 ? [`and ${rest} more`] : [])],
  });
}

function unknown(name: string, nearest: readonly UnitSummary[]): Failure {
  return new Failure('not_found', `no unit is called ${onOneLine(name)}`, {
    hint: nearest.length === 0 ? 'and none has a name like it; `woods search` looks further' : 'the nearest names are',
    detail: { nearest: nearest.map(summaryJson) },
    lines: summaryLines(nearest),
  });
}

function summaryLines(units: readonly UnitSummary[]): string[] {
  return columns(units.map(({ identifier, type, line }) => [onOneLine(identifier), type, `line ${line}`]));
}
