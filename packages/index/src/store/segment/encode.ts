/** Files with their units and edges → the bytes of a segment. Pure. */
import { Buffer } from 'node:buffer';
import type { Unit } from '../../model.ts';
import { allocateColumns } from './columns.ts';
import { frameSegment } from './frame.ts';
import { internFiles } from './intern.ts';
import { numberUnits, type SegmentFile, sortedByPath } from './segment-file.ts';
import { createVocabulary } from './vocabulary.ts';
import { writeEdges, writeInput, writeUnit } from './write-rows.ts';

export interface EncodedSegment {
  readonly bytes: Uint8Array;
  /** The same files, in the order in which their texts stand in the bodies file. */
  readonly files: readonly SegmentFile[];
}

/**
 * Throws a TypeError for what no linker may produce: an identifier that is not of its file or not unique, an edge
 * whose source is in another file, a span or a hash out of range.
 */
export function encodeSegment(input: { files: Iterable<SegmentFile>; tombstones: Iterable<string> }): EncodedSegment {
  const files = sortedByPath(input.files);
  const unitNumbers = numberUnits(files);
  const types = createVocabulary();
  const vias = createVocabulary();
  const resolutions = createVocabulary();
  const extras = files.map(({ units }) => units.map(extraOf));
  const extraBytes = Buffer.from(extras.flat().join(''));

  // Strings first: their number decides how long their own columns are.
  const { rows, table } = internFiles(files, unitNumbers);
  const counts = {
    string: table.count,
    file: files.length,
    unit: unitNumbers.size,
    edge: files.reduce((sum, { edges }) => sum + edges.length, 0),
  };
  const columns = allocateColumns(counts, { string_bytes: table.bytes, extras: extraBytes });
  columns.string_offset.set(table.offsets);

  let unit = 0;
  let bodyOffset = 0;
  let extraOffset = 0;
  for (const [at, file] of files.entries()) {
    const row = rows[at];
    if (row === undefined) continue;
    writeInput(columns, at, file, row);
    columns.file_unit[at + 1] = unit + file.units.length;
    columns.file_body_offset[at] = bodyOffset;
    bodyOffset += file.bodyBytes ?? 0;
    for (const [inFile, one] of file.units.entries()) {
      columns.unit_type[unit] = types.number(one.type);
      writeUnit(columns, unit, one, row.units[inFile]);
      extraOffset += Buffer.byteLength(extras[at]?.[inFile] ?? '');
      columns.unit_extra[unit + 1] = extraOffset;
      unit += 1;
    }
  }
  writeEdges(columns, files, rows, { unitNumbers, vias, resolutions });

  const header = {
    counts,
    types: types.words(),
    vias: vias.words(),
    resolutions: resolutions.words(),
    tombstones: [...new Set(input.tombstones)].sort(),
  };
  return { bytes: frameSegment(header, columns), files };
}

/** `{}` is the rule and takes no line. */
function extraOf(unit: Unit): string {
  for (const _ in unit.metadata) return `${JSON.stringify({ metadata: unit.metadata })}\n`;
  return '';
}
