/** Files as numbers: of their units in the segment, and of their strings in its table. */
import { NONE } from './columns.ts';
import type { SegmentFile } from './segment-file.ts';
import { createStringTable, type StringTable } from './strings.ts';

export interface FileRow {
  readonly path: number;
  readonly language: number;
  readonly skipped: number;
  readonly units: readonly UnitRow[];
  /** Per edge: a unit of this segment, or -1 - the number of the identifier's string. */
  readonly targets: Int32Array;
}

interface NameRow {
  readonly qualified: number;
  readonly name: number;
}

export interface UnitRow extends NameRow {
  readonly namespace: number;
  readonly signature: number;
  readonly doc: number;
}

export interface Interned {
  readonly rows: readonly FileRow[];
  readonly table: ReturnType<StringTable['finish']>;
}

/** Paths and names stand together in front of the table, since they are what is searched for. */
export function internFiles(files: readonly SegmentFile[], unitNumbers: ReadonlyMap<string, number>): Interned {
  const strings = createStringTable();
  const names = files.map((file) => internNames(file, strings));
  const rows = files.map((file, at) => internRest(file, names[at] ?? [], strings, unitNumbers));
  return { rows, table: strings.finish() };
}

function internNames({ input: { path }, units }: SegmentFile, strings: StringTable): NameRow[] {
  strings.add(path);
  return units.map(({ identifier, name }) => ({
    qualified: strings.addOptional(identifier === path ? null : identifier.slice(path.length + 1)),
    name: strings.add(name),
  }));
}

function internRest(
  file: SegmentFile,
  names: readonly NameRow[],
  strings: StringTable,
  unitNumbers: ReadonlyMap<string, number>,
): FileRow {
  const { path, language, skipped } = file.input;
  return {
    path: strings.add(path),
    language: strings.addOptional(language),
    skipped: strings.addOptional(skipped),
    units: file.units.map((unit, at) => ({
      qualified: names[at]?.qualified ?? NONE,
      name: names[at]?.name ?? NONE,
      namespace: strings.addOptional(unit.namespace),
      signature: strings.add(unit.signature),
      doc: strings.addOptional(unit.doc),
    })),
    targets: Int32Array.from(file.edges, ({ target }) => unitNumbers.get(target) ?? -1 - strings.add(target)),
  };
}
