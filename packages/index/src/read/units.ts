/** Units as answers show them. */
import { NONE } from '../store/segment/columns.ts';
import { type StoredUnit, unitOf, unitTypeOf } from '../store/segment/rows.ts';
import { fileOfUnit, identifierOf, optionalStringAt, pathOfUnit, stringAt } from '../store/segment/segment.ts';
import { unitPlace, unitTotal, type View } from '../store/segment/view.ts';

export interface UnitSummary {
  readonly identifier: string;
  readonly type: string;
  readonly name: string;
  readonly path: string;
  /** 1-based, where the unit begins. */
  readonly line: number;
}

export interface UnitDetail extends StoredUnit {
  readonly path: string;
  readonly language: string | null;
}

export function summaryOf(view: View, unit: number): UnitSummary {
  const { segment, number } = unitPlace(view, unit);
  return {
    identifier: identifierOf(segment, number),
    type: unitTypeOf(segment, number),
    name: stringAt(segment, segment.columns.unit_name[number] ?? 0),
    path: pathOfUnit(segment, number),
    line: segment.columns.unit_start_line[number] ?? 0,
  };
}

export function detailOf(view: View, unit: number): UnitDetail {
  const { segment, number } = unitPlace(view, unit);
  const file = fileOfUnit(segment, number);
  return {
    ...unitOf(segment, number),
    path: pathOfUnit(segment, number),
    language: optionalStringAt(segment, segment.columns.file_language[file] ?? NONE),
  };
}

export function identifierAt(view: View, unit: number): string {
  const { segment, number } = unitPlace(view, unit);
  return identifierOf(segment, number);
}

/** Global numbers of all live units. */
export function* liveUnits(view: View): Generator<number> {
  for (let unit = 0; unit < unitTotal(view); unit += 1) {
    if (view.deadUnits[unit] !== 1) yield unit;
  }
}

/** By code units: the same order on every machine, whatever its locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
