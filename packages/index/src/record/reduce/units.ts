import { hash } from 'node:crypto';
import type { DraftUnit, FileDraft } from '../draft/draft.ts';
import type { RecordedUnit } from '../file-record.ts';
import type { Positions } from '../source/positions.ts';
import { docOf, moduleDocOf } from './doc.ts';
import { uniqueKeys } from './keys.ts';

/** Drops the units that turned out to be none and numbers the others. */
export function numberUnits(file: FileDraft): DraftUnit[] {
  const kept = file.units.filter((unit) => unit.kept);
  for (const [number, unit] of kept.entries()) unit.number = number;
  return kept;
}

/** The unit, or the nearest one around it that was kept. */
export function keptUnit(unit: DraftUnit): DraftUnit {
  let at = unit;
  while (at.number < 0 && at.parent !== null) at = at.parent;
  return at;
}

/** `units` are the kept ones; the first stands for the file and has no key. */
export function finishUnits(file: FileDraft, units: readonly DraftUnit[], positions: Positions): RecordedUnit[] {
  const [module, ...others] = units;
  if (module === undefined) return [];
  const keys = uniqueKeys(others);
  return units.map((unit) => {
    const { start, end } = unit;
    const startLine = positions.lineOf(start);
    const nameLine = positions.lineOf(unit.nameAt);
    return {
      type: unit.type,
      name: unit.name,
      key: keys.get(unit) ?? '',
      namespace: unit.namespace,
      span: [positions.byteOf(start), positions.byteOf(end), startLine, positions.lineOf(Math.max(start, end - 1))],
      signature: unit.signature,
      doc: unit === module ? moduleDocOf(file) : docOf(file, unit),
      hash: contentHash(file.text.slice(start, end)),
      // Decorators may put the name on a later line than the start.
      metadata: nameLine === startLine ? unit.metadata : { ...unit.metadata, nameLine },
    };
  });
}

/** First 16 hex digits of the SHA-256 of a unit's source. */
export function contentHash(text: string): string {
  return hash('sha256', text).slice(0, 16);
}
