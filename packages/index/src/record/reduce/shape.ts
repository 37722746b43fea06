import { hash } from 'node:crypto';
import type { Declaration, RecordedUnit, Table } from '../file-record.ts';

interface Visible {
  readonly exports: Table;
  readonly stars: readonly number[];
  readonly specifiers: readonly string[];
  readonly units: readonly RecordedUnit[];
  /** Those that exports reach. */
  readonly declarations: readonly Declaration[];
}

/**
 * Digest of what linking another file can see of this one. Numbers that stand for something outside the declarations
 * are replaced by what they stand for: an import added at the top moves them and changes nothing for others.
 */
export function shapeOf({ exports, stars, specifiers, units, declarations }: Visible): string {
  const seen = declarations.map((declaration) => {
    const unit = declaration.unit === undefined ? undefined : units[declaration.unit];
    return [withoutNumbers(declaration, specifiers), unit?.type, unit?.key];
  });
  return hash('sha256', JSON.stringify([exports, stars.map((star) => specifiers[star]), seen])).slice(0, 32);
}

function withoutNumbers(declaration: Declaration, specifiers: readonly string[]): unknown {
  if (declaration.kind === 'import') return [specifiers[declaration.specifier], declaration.name, declaration.also];
  return declaration.unit === undefined ? declaration : { ...declaration, unit: 0 };
}
