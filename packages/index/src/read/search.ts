/** Search by pattern over names, identifiers, paths and, when asked, the text of the files. */
import { IndexError } from '../errors.ts';
import { NONE } from '../store/segment/columns.ts';
import { unitTypeOf } from '../store/segment/rows.ts';
import { pathOfUnit, qualifiedNameOf } from '../store/segment/segment.ts';
import { type Place, unitPlace } from '../store/segment/view.ts';
import { KINDS, type Kind, type Pattern, readPattern } from './pattern.ts';
import { scopeOf } from './scope.ts';
import { searchSource } from './search-source.ts';
import type { Found, SearchField, SearchOptions, SearchResult } from './search-words.ts';
import type { Snapshot } from './snapshot.ts';
import { runWithin } from './time-limit.ts';
import { compareText, identifierAt, liveUnits, summaryOf } from './units.ts';

const FIELD_ORDER: readonly SearchField[] = ['name', 'identifier', 'path', 'source'];
const MAX_LIMIT = 1000;

/** Throws IndexError `invalid_arguments` for an empty pattern or a limit out of range. */
export function search(snapshot: Snapshot, options: SearchOptions): SearchResult {
  const limit = options.limit ?? 50;
  if (options.pattern === '') throw new IndexError('invalid_arguments', 'expected a pattern, found an empty one');
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new IndexError('invalid_arguments', `expected a limit from 1 to ${MAX_LIMIT}, found ${limit}`);
  }
  const { pattern: text, match = 'any', letterCase = 'ignore' } = options;
  const pattern = readPattern(text, { match, letterCase });
  const fields = options.fields ?? ['name', 'identifier', 'path'];
  const found: Found[] = [];
  let sourceCut = false;
  const run = () => {
    searchUnits(snapshot, pattern, { ...options, fields }, found);
    if (fields.includes('source')) sourceCut = searchSource(snapshot, pattern, options, found) === 'cut';
  };
  const ended = runWithin(pattern.cost === 'linear' ? null : (options.timeLimitMs ?? 2000), run);
  const hits = ranked(snapshot, found).slice(0, limit);
  const reason =
    ended === 'out_of_time' ? 'time_limit' : sourceCut ? 'source_budget' : found.length > limit ? 'limit' : null;
  return {
    hits: hits.map(({ unit, field, kind, source }) => {
      const summary = summaryOf(snapshot.view, unit);
      return { unit: summary, field, kind, line: source?.line ?? summary.line, text: source?.text ?? null };
    }),
    total: found.length,
    partial: reason !== null,
    reason,
    notes: pattern.notes,
  };
}

/** One match a unit: its best field. */
function searchUnits(
  snapshot: Snapshot,
  pattern: Pattern,
  options: SearchOptions & { fields: readonly SearchField[] },
  found: Found[],
): void {
  const { view } = snapshot;
  const names = snapshot.names();
  const wants = new Set(options.fields);
  const inScope = scopeOf(options);
  for (const unit of liveUnits(view)) {
    const place = unitPlace(view, unit);
    const name = wants.has('name') ? pattern.find(names[unit] ?? '') : null;
    const field = place.segment.columns.unit_qualified[place.number] === NONE ? 'path' : 'identifier';
    const other = name === 'exact' || !wants.has(field) ? null : findInIdentifier(pattern, place);
    if (name === null && other === null) continue;
    if (!inScope(unitTypeOf(place.segment, place.number), identifierAt(view, unit))) continue;
    found.push(
      name !== null && (other === null || rankOf(name) <= rankOf(other))
        ? { unit, field: 'name', kind: name, source: null }
        : { unit, field, kind: other ?? 'substring', source: null },
    );
  }
}

/**
 * A path is looked at as a whole and by its last part. Of an identifier only matches that reach into the qualified
 * name count: the path alone would bring every unit of a file.
 */
function findInIdentifier(pattern: Pattern, { segment, number }: Place): Kind | null {
  const qualified = qualifiedNameOf(segment, number);
  if (qualified === null) {
    const path = pathOfUnit(segment, number);
    return better(pattern.find(path), pattern.find(path.slice(path.lastIndexOf('/') + 1)));
  }
  const short = pattern.find(qualified);
  if (!pattern.crossesHash) return short;
  const identifier = `${pathOfUnit(segment, number)}#${qualified}`;
  return better(short, pattern.find(identifier, identifier.length - qualified.length));
}

function better(a: Kind | null, b: Kind | null): Kind | null {
  if (a === null || b === null) return a ?? b;
  return rankOf(a) <= rankOf(b) ? a : b;
}

function rankOf(kind: Kind): number {
  return KINDS.indexOf(kind);
}

function ranked(snapshot: Snapshot, found: readonly Found[]): Found[] {
  const names = snapshot.names();
  const identifiers = new Map<number, string>();
  const identifier = (unit: number) => {
    const known = identifiers.get(unit) ?? identifierAt(snapshot.view, unit);
    identifiers.set(unit, known);
    return known;
  };
  return [...found].sort(
    (a, b) =>
      Number(a.field === 'source') - Number(b.field === 'source') ||
      rankOf(a.kind) - rankOf(b.kind) ||
      FIELD_ORDER.indexOf(a.field) - FIELD_ORDER.indexOf(b.field) ||
      (names[a.unit]?.length ?? 0) - (names[b.unit]?.length ?? 0) ||
      compareText(identifier(a.unit), identifier(b.unit)) ||
      (a.source?.line ?? 0) - (b.source?.line ?? 0),
  );
}
