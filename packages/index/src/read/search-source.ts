/** Search in the texts of files: each line that matches once, for the innermost unit that it begins in. */
import { type Bodies, openBodies } from '../store/generation/bodies.ts';
import { unitTypeOf } from '../store/segment/rows.ts';
import { pathOf, type Segment } from '../store/segment/segment.ts';
import { eachLiveFile, type Place } from '../store/segment/view.ts';
import type { Pattern } from './pattern.ts';
import { scopeOf } from './scope.ts';
import type { Found, SearchOptions } from './search-words.ts';
import type { Snapshot } from './snapshot.ts';

/** More than anyone lists; it bounds what a pattern like `e` may collect. */
const MAX_MATCHES = 10_000;
const MAX_LINE = 200;

/** Adds to `found`. `cut` when there was more than the budget holds. Throws IndexError `corrupt_artifact`. */
export function searchSource(
  snapshot: Snapshot,
  pattern: Pattern,
  options: Pick<SearchOptions, 'types' | 'paths'>,
  found: Found[],
): 'whole' | 'cut' {
  const { view, payloadDir } = snapshot;
  const inScope = scopeOf(options);
  const isAsked = options.paths === undefined ? () => true : scopeOf({ paths: options.paths });
  const bodies = new Map<number, Bodies>();
  const most = found.length + MAX_MATCHES;
  try {
    eachLiveFile(view, (_, place) => {
      if (found.length >= most || !isAsked('', pathOf(place.segment, place.number))) return;
      const open = bodies.get(place.at) ?? openBodies(payloadDir, place.segment);
      bodies.set(place.at, open);
      const body = open.read(place.number);
      if (body !== null) searchText(place, body, view.firstUnit[place.at] ?? 0, { pattern, inScope }, found);
    });
  } finally {
    for (const open of bodies.values()) open.close();
  }
  return found.length >= most ? 'cut' : 'whole';
}

function searchText(
  place: Place,
  body: Buffer,
  firstUnit: number,
  what: { pattern: Pattern; inScope: (type: string, path: string) => boolean },
  found: Found[],
): void {
  const text = body.toString('utf8');
  // In ASCII, characters are bytes; elsewhere the bytes before a match are counted from the last one.
  const wide = text.length !== body.length;
  const path = pathOf(place.segment, place.number);
  let byte = 0;
  let counted = 0;
  let line = 1;
  let lineEnd = -1;
  for (const match of text.matchAll(what.pattern.inSource)) {
    if (match[0].length === 0 || match.index <= lineEnd) continue;
    line += newlinesBetween(text, Math.max(counted, 0), match.index);
    byte = wide ? byte + Buffer.byteLength(text.slice(counted, match.index)) : match.index;
    counted = match.index;
    lineEnd = endOfLine(text, match.index);
    const unit = innermostUnit(place.segment, place.number, byte);
    if (unit < 0 || !what.inScope(unitTypeOf(place.segment, unit), path)) continue;
    const start = text.lastIndexOf('\n', match.index - 1) + 1;
    const shown = text.slice(start, lineEnd).trim().slice(0, MAX_LINE);
    found.push({ unit: firstUnit + unit, field: 'source', kind: 'substring', source: { line, text: shown } });
  }
}

function newlinesBetween(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** The shortest span around a byte; the file's own unit, or else its first, for a byte outside all of them. */
function innermostUnit(segment: Segment, file: number, byte: number): number {
  const { file_unit, unit_start, unit_end } = segment.columns;
  const first = file_unit[file] ?? 0;
  const end = file_unit[file + 1] ?? 0;
  let best = first < end ? first : -1;
  let length = Number.POSITIVE_INFINITY;
  for (let unit = first; unit < end; unit += 1) {
    const [from, to] = [unit_start[unit] ?? 0, unit_end[unit] ?? 0];
    if (from > byte || byte >= to || to - from >= length) continue;
    best = unit;
    length = to - from;
  }
  return best;
}
