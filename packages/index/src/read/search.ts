/** Search by pattern over names, identifiers, paths and, when asked, the text of the files. */
import { IndexError } from '../errors.ts';
import { NONE } from '../store/segment/columns.ts';
import { unitTypeOf } from '../store/segment/rows.ts';
import {
  fileOfUnit,
  identifierOf,
  pathOfUnit,
  qualifiedNameOf,
  type Segment,
  stringAt,
} from '../store/segment/segment.ts';
import { type Place, unitPlace } from '../store/segment/view.ts';
import { candidateStrings } from './candidates.ts';
import { KINDS, type Kind, type Pattern, readPattern } from './pattern.ts';
import { scopeOf } from './scope.ts';
import { searchSource } from './search-source.ts';
import type { Found, SearchField, SearchOptions, SearchResult } from './search-words.ts';
import type { Snapshot } from './snapshot.ts';
import { runWithin } from './time-limit.ts';
import { compareText, summaryOf } from './units.ts';

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
  { view }: Snapshot,
  pattern: Pattern,
  options: SearchOptions & { fields: readonly SearchField[] },
  found: Found[],
): void {
  const wants = new Set(options.fields);
  const inScope = scopeOf(options);
  for (const [at, segment] of view.segments.entries()) {
    const candidates = candidateStrings(segment, pattern);
    const first = view.firstUnit[at] ?? 0;
    for (let number = 0; number < segment.header.counts.unit; number += 1) {
      if (view.deadUnits[first + number] === 1 || !isCandidate(segment, number, candidates)) continue;
      const match = matchUnit(pattern, { at, segment, number }, wants);
      if (match === null) continue;
      if (!inScope(unitTypeOf(segment, number), identifierOf(segment, number))) continue;
      found.push({ unit: first + number, ...match, source: null });
    }
  }
}

function isCandidate(segment: Segment, number: number, candidates: Uint8Array | null): boolean {
  if (candidates === null) return true;
  const { unit_name, unit_qualified, file_path } = segment.columns;
  if (candidates[unit_name[number] ?? 0] === 1) return true;
  const qualified = unit_qualified[number] ?? NONE;
  return candidates[qualified === NONE ? (file_path[fileOfUnit(segment, number)] ?? 0) : qualified] === 1;
}

function matchUnit(
  pattern: Pattern,
  place: Place,
  wants: ReadonlySet<SearchField>,
): Pick<Found, 'field' | 'kind'> | null {
  const { unit_name, unit_qualified } = place.segment.columns;
  const name = wants.has('name') ? pattern.find(stringAt(place.segment, unit_name[place.number] ?? 0)) : null;
  const field = unit_qualified[place.number] === NONE ? 'path' : 'identifier';
  const other = name === 'exact' || !wants.has(field) ? null : findInIdentifier(pattern, place);
  if (name !== null && (other === null || rankOf(name) <= rankOf(other))) return { field: 'name', kind: name };
  return other === null ? null : { field, kind: other };
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

/** Each with what its rank depends on, made once and not at each comparison. */
function ranked({ view }: Snapshot, found: readonly Found[]): Found[] {
  const keyed = found.map((one) => {
    const { segment, number } = unitPlace(view, one.unit);
    return {
      one,
      place: Number(one.field === 'source') * 1000 + rankOf(one.kind) * 10 + FIELD_ORDER.indexOf(one.field),
      name: stringAt(segment, segment.columns.unit_name[number] ?? 0),
      identifier: identifierOf(segment, number),
    };
  });
  keyed.sort(
    (a, b) =>
      a.place - b.place ||
      a.name.length - b.name.length ||
      compareText(a.identifier, b.identifier) ||
      (a.one.source?.line ?? 0) - (b.one.source?.line ?? 0),
  );
  return keyed.map(({ one }) => one);
}
