/**
 * Segments in order, read as one: the newest block of a path wins, and a tombstone deletes. Units have global numbers:
 * their segment's first, plus their own.
 */
import { findFile, findUnitInFile, type Segment } from './segment.ts';

export interface View {
  readonly segments: readonly Segment[];
  /** Global number of each segment's first unit; one element more, the number of all units. */
  readonly firstUnit: Uint32Array;
  /** The same for files. */
  readonly firstFile: Uint32Array;
  /** By global number: 1 where a newer segment replaced or deleted it. */
  readonly deadFiles: Uint8Array;
  readonly deadUnits: Uint8Array;
  /** What the segments after the first say of a path, the newest word of it; null: deleted. */
  readonly young: ReadonlyMap<string, Place | null>;
  readonly memo: ViewMemo;
}

/** What look-ups have found out so far, filled as they are asked for. */
interface ViewMemo {
  /** Global number of a dead unit → that of the unit which took its identifier, -1 none, -2 not looked up. */
  successors: Int32Array | null;
  /** Per segment: number of an identifier's string → global number, -1 none. */
  readonly outside: Map<number, number>[];
}

export interface Place {
  /** Position in `view.segments`. */
  readonly at: number;
  readonly segment: Segment;
  /** Number inside the segment. */
  readonly number: number;
}

/** Dead ones included: one more than the highest global number. */
export function unitTotal(view: View): number {
  return view.firstUnit[view.segments.length] ?? 0;
}

/** Where a unit with this global number stands. */
export function unitPlace(view: View, unit: number): Place {
  const { firstUnit, segments } = view;
  let at = segments.length - 1;
  while (at > 0 && (firstUnit[at] ?? 0) > unit) at -= 1;
  const segment = segments[at];
  if (segment === undefined) throw new RangeError(`unit ${unit} of an index without segments`);
  return { at, segment, number: unit - (firstUnit[at] ?? 0) };
}

/** The live block of a path, or null. */
export function locateFile(view: View, path: string): Place | null {
  const young = view.young.get(path);
  const [segment] = view.segments;
  if (young !== undefined || segment === undefined) return young ?? null;
  const number = findFile(segment, Buffer.from(path));
  return number < 0 ? null : { at: 0, segment, number };
}

/** The global number of the live unit with this identifier, or -1. */
export function findUnit(view: View, identifier: string): number {
  // A path may hold a `#` of its own, so each one is tried as the end of the path, and then the whole.
  for (let split = identifier.indexOf('#'); split >= 0; split = identifier.indexOf('#', split + 1)) {
    const unit = unitAt(view, identifier.slice(0, split), identifier.slice(split + 1));
    if (unit >= 0) return unit;
  }
  return unitAt(view, identifier, null);
}

function unitAt(view: View, path: string, qualified: string | null): number {
  const place = locateFile(view, path);
  if (place === null) return -1;
  const unit = findUnitInFile(place.segment, place.number, qualified);
  return unit < 0 ? -1 : (view.firstUnit[place.at] ?? 0) + unit;
}

/** Calls `visit` for each live file: global number, its segment's position, number inside the segment. */
export function eachLiveFile(view: View, visit: (file: number, place: Place) => void): void {
  for (const [at, segment] of view.segments.entries()) {
    const first = view.firstFile[at] ?? 0;
    for (let number = 0; number < segment.header.counts.file; number += 1) {
      if (view.deadFiles[first + number] !== 1) visit(first + number, { at, segment, number });
    }
  }
}
