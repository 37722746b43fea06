/**
 * Segments in order, read as one: the newest block of a path wins, a tombstone deletes, and an edge into a replaced
 * file goes to the unit of the same identifier in the new one. Units have global numbers: their segment's first, plus
 * their own.
 */
import { fileOfUnit, findFile, findUnitInFile, pathOf, qualifiedNameOf, type Segment, stringAt } from './segment.ts';

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

/** `segments` from the oldest to the newest. */
export function viewOfSegments(segments: readonly Segment[]): View {
  const firstUnit = runningSums(segments.map(({ header }) => header.counts.unit));
  const firstFile = runningSums(segments.map(({ header }) => header.counts.file));
  const deadFiles = new Uint8Array(firstFile[segments.length] ?? 0);
  const deadUnits = new Uint8Array(firstUnit[segments.length] ?? 0);
  const young = markDead({ segments, firstUnit, firstFile, deadFiles, deadUnits });
  const outside = segments.map(() => new Map<number, number>());
  return { segments, firstUnit, firstFile, deadFiles, deadUnits, young, memo: { successors: null, outside } };
}

/** `view` with one segment after its newest: what has to be marked is only what that one replaces. */
export function extendView(view: View, segment: Segment): View {
  const at = view.segments.length;
  if (at === 0) return viewOfSegments([segment]);
  const segments = [...view.segments, segment];
  const extended = {
    segments,
    firstUnit: runningSums(segments.map(({ header }) => header.counts.unit)),
    firstFile: runningSums(segments.map(({ header }) => header.counts.file)),
    deadFiles: grown(view.deadFiles, segment.header.counts.file),
    deadUnits: grown(view.deadUnits, segment.header.counts.unit),
  };
  const young = new Map(view.young);
  const replace = (path: string, place: Place | null): void => {
    const before = locateFile(view, path);
    if (before !== null) markFile(extended, before);
    young.set(path, place);
  };
  // Tombstones first: what a segment holds, it does not delete.
  for (const path of segment.tombstones) replace(path, null);
  for (let file = 0; file < segment.header.counts.file; file += 1) {
    replace(pathOf(segment, file), { at, segment, number: file });
  }
  return { ...extended, young, memo: { successors: null, outside: segments.map(() => new Map<number, number>()) } };
}

function grown(flags: Uint8Array, more: number): Uint8Array {
  const longer = new Uint8Array(flags.length + more);
  longer.set(flags);
  return longer;
}

function runningSums(counts: readonly number[]): Uint32Array {
  const sums = new Uint32Array(counts.length + 1);
  for (const [at, count] of counts.entries()) sums[at + 1] = (sums[at] ?? 0) + count;
  return sums;
}

/** Newest first, looking each path that was met so far up in the next older segment: the cost follows the changes. */
function markDead(view: Omit<View, 'young' | 'memo'>): Map<string, Place | null> {
  const young = new Map<string, Place | null>();
  const paths: Buffer[] = [];
  const note = (path: string, place: Place | null): void => {
    if (young.has(path)) return;
    young.set(path, place);
    paths.push(Buffer.from(path));
  };
  for (let at = view.segments.length - 1; at >= 0; at -= 1) {
    const segment = view.segments[at];
    if (segment === undefined) continue;
    for (const path of paths) {
      const file = findFile(segment, path);
      if (file >= 0) markFile(view, { at, segment, number: file });
    }
    if (at === 0) break;
    for (let file = 0; file < segment.header.counts.file; file += 1) {
      note(pathOf(segment, file), { at, segment, number: file });
    }
    for (const path of segment.tombstones) note(path, null);
  }
  return young;
}

function markFile({ deadFiles, deadUnits, firstFile, firstUnit }: Omit<View, 'young' | 'memo'>, place: Place): void {
  const { file_unit } = place.segment.columns;
  deadFiles[(firstFile[place.at] ?? 0) + place.number] = 1;
  const first = firstUnit[place.at] ?? 0;
  deadUnits.fill(1, first + (file_unit[place.number] ?? 0), first + (file_unit[place.number + 1] ?? 0));
}

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

/** The global number of the live unit that an edge of the segment at `at` goes to, or -1 when there is none any more. */
export function edgeTarget(view: View, at: number, edge: number): number {
  const segment = view.segments[at];
  if (segment === undefined) return -1;
  const target = segment.columns.edge_target[edge] ?? 0;
  if (target < 0) return outsideTarget(view, at, segment, -1 - target);
  const global = (view.firstUnit[at] ?? 0) + target;
  return view.deadUnits[global] === 1 ? successorOf(view, global) : global;
}

function outsideTarget(view: View, at: number, segment: Segment, string: number): number {
  const memo = view.memo.outside[at];
  const known = memo?.get(string);
  if (known !== undefined) return known;
  const found = findUnit(view, stringAt(segment, string));
  memo?.set(string, found);
  return found;
}

function successorOf(view: View, global: number): number {
  view.memo.successors ??= new Int32Array(unitTotal(view)).fill(-2);
  const known = view.memo.successors[global] ?? -1;
  if (known !== -2) return known;
  // One file is replaced as a whole, so all of its units are looked up together.
  const { at, segment, number } = unitPlace(view, global);
  const file = fileOfUnit(segment, number);
  const successors = unitsByName(locateFile(view, pathOf(segment, file)));
  const { file_unit } = segment.columns;
  for (let unit = file_unit[file] ?? 0; unit < (file_unit[file + 1] ?? 0); unit += 1) {
    const local = successors.units.get(qualifiedNameOf(segment, unit));
    view.memo.successors[(view.firstUnit[at] ?? 0) + unit] =
      local === undefined ? -1 : (view.firstUnit[successors.at] ?? 0) + local;
  }
  return view.memo.successors[global] ?? -1;
}

function unitsByName(place: Place | null): { at: number; units: Map<string | null, number> } {
  const units = new Map<string | null, number>();
  if (place === null) return { at: 0, units };
  const { file_unit } = place.segment.columns;
  for (let unit = file_unit[place.number] ?? 0; unit < (file_unit[place.number + 1] ?? 0); unit += 1) {
    units.set(qualifiedNameOf(place.segment, unit), unit);
  }
  return { at: place.at, units };
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
