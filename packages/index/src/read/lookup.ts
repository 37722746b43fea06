/** From what a user calls a unit to the unit; several are all shown, and none is ever picked. */
import { findString, findUnitInFile, pathEndsWith, type Segment } from '../store/segment/segment.ts';
import { eachLiveFile, findUnit, type View } from '../store/segment/view.ts';
import { nearestUnits } from './nearest.ts';
import type { Snapshot } from './snapshot.ts';
import { compareText, detailOf, summaryOf, type UnitDetail, type UnitSummary } from './units.ts';

export type LookupResult =
  | { readonly kind: 'found'; readonly unit: UnitDetail; readonly by: 'identifier' | 'name' }
  /** By identifier; `total` may be more than are listed. */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly UnitSummary[]; readonly total: number }
  /** Best first. */
  | { readonly kind: 'not_found'; readonly nearest: readonly UnitSummary[] };

/**
 * `query` is an identifier, the end of one from a `/` on, a name (`ripen`) or a qualified name (`Tree.ripen`). At most
 * `limit` candidates are listed.
 */
export function lookUp(snapshot: Snapshot, query: string, { limit = 50 }: { limit?: number } = {}): LookupResult {
  const { view } = snapshot;
  const exact = findUnit(view, query);
  if (exact >= 0) return { kind: 'found', unit: detailOf(view, exact), by: 'identifier' };
  const units = new Set([...unitsNamed(view, query), ...unitsEndingWith(view, query)]);
  const [only] = units;
  if (only === undefined) return { kind: 'not_found', nearest: nearestUnits(snapshot, query) };
  if (units.size === 1) return { kind: 'found', unit: detailOf(view, only), by: 'name' };
  const candidates = [...units].map((unit) => summaryOf(view, unit));
  candidates.sort((a, b) => compareText(a.identifier, b.identifier));
  return { kind: 'ambiguous', candidates: candidates.slice(0, limit), total: units.size };
}

/** Live units whose name or qualified name is exactly this. */
function unitsNamed(view: View, name: string): number[] {
  const bytes = Buffer.from(name);
  return view.segments.flatMap((segment, at) => {
    const string = findString(segment, bytes);
    return string < 0 ? [] : unitsWithString(view, at, segment, string);
  });
}

function unitsWithString(view: View, at: number, segment: Segment, string: number): number[] {
  const { unit_name, unit_qualified } = segment.columns;
  const first = view.firstUnit[at] ?? 0;
  const found: number[] = [];
  for (let unit = 0; unit < unit_name.length; unit += 1) {
    if (unit_name[unit] !== string && unit_qualified[unit] !== string) continue;
    if (view.deadUnits[first + unit] !== 1) found.push(first + unit);
  }
  return found;
}

/** Live units whose identifier ends with `/<query>`. */
function unitsEndingWith(view: View, query: string): number[] {
  const found: number[] = [];
  const splits = splitsOf(query);
  eachLiveFile(view, (_, { at, segment, number }) => {
    for (const { ending, qualified } of splits) {
      if (!pathEndsWith(segment, number, ending)) continue;
      const unit = findUnitInFile(segment, number, qualified);
      if (unit >= 0) found.push((view.firstUnit[at] ?? 0) + unit);
    }
  });
  return found;
}

interface Split {
  readonly ending: Buffer;
  readonly qualified: string | null;
}

/** Each way to read the query as the end of a path and, after a `#`, a qualified name. */
function splitsOf(query: string): Split[] {
  const splits: Split[] = [{ ending: Buffer.from(`/${query}`), qualified: null }];
  for (let at = query.indexOf('#', 1); at >= 0; at = query.indexOf('#', at + 1)) {
    splits.push({ ending: Buffer.from(`/${query.slice(0, at)}`), qualified: query.slice(at + 1) });
  }
  return splits;
}
