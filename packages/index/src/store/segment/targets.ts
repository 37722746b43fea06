/** Where edges lead: into a replaced file they go to the unit that has the identifier now. */
import { fileOfUnit, pathOf, qualifiedNameOf, type Segment, stringAt } from './segment.ts';
import { findUnit, locateFile, type Place, unitPlace, unitTotal, type View } from './view.ts';

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
