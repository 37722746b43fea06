import type { UnitType } from '../../model.ts';
import type { DraftUnit } from '../draft/draft.ts';

const TYPES: ReadonlySet<UnitType> = new Set(['interface', 'type_alias']);

/**
 * Qualified names made unique, by unit. Where a type and a value share a name the value keeps it and the type gets
 * `:<type>`; what still shares one is counted in the order of the file: `~2`, `~3` …
 */
export function uniqueKeys(units: readonly DraftUnit[]): Map<DraftUnit, string> {
  const values = new Set(units.filter((unit) => !TYPES.has(unit.type)).map((unit) => unit.qualified));
  const keys = new Map<DraftUnit, string>();
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  for (const unit of units) {
    const shared = TYPES.has(unit.type) && values.has(unit.qualified);
    const wanted = shared ? `${unit.qualified}:${unit.type}` : unit.qualified;
    let key = wanted;
    for (let count = counts.get(wanted) ?? 1; taken.has(key); key = `${wanted}~${count}`) counts.set(wanted, ++count);
    taken.add(key);
    keys.set(unit, key);
  }
  return keys;
}
