/**
 * Whether every number in a segment points at something. A reader checks the ends, which costs nothing; the checksum
 * stands for the rest. A validation looks at each number.
 */
import type { Columns, RowCounts } from './columns.ts';
import { NONE } from './columns.ts';
import type { SegmentHeader } from './frame.ts';

/** The first column of offsets that does not cover what it points into, in words; null when all do. */
export function findEndFault(header: SegmentHeader, columns: Columns): string | null {
  return offsetColumns(header, columns).reduce<string | null>(
    (fault, [name, offsets, end]) => fault ?? endFault(name, offsets, end),
    null,
  );
}

/** The first thing that is wrong, in words; null when nothing is. Linear. */
export function findStructureFault(header: SegmentHeader, columns: Columns): string | null {
  const { counts } = header;
  return (
    findEndFault(header, columns) ??
    offsetColumns(header, columns).reduce<string | null>(
      (fault, [name, offsets]) => fault ?? fallFault(name, offsets),
      null,
    ) ??
    stringsFault(columns, counts) ??
    wordsFault('unit_type', columns.unit_type, header.types.length) ??
    wordsFault('edge_via', columns.edge_via, header.vias.length) ??
    wordsFault('edge_resolution', columns.edge_resolution, header.resolutions.length) ??
    targetsFault(columns.edge_target, counts) ??
    orderFault(columns, counts.file)
  );
}

type OffsetColumn = readonly [name: string, offsets: Uint32Array, end: number];

function offsetColumns({ counts }: SegmentHeader, columns: Columns): readonly OffsetColumn[] {
  return [
    ['string_offset', columns.string_offset, columns.string_bytes.length],
    ['file_unit', columns.file_unit, counts.unit],
    ['unit_extra', columns.unit_extra, columns.extras.length],
    ['unit_edge', columns.unit_edge, counts.edge],
  ];
}

function endFault(name: string, offsets: Uint32Array, end: number): string | null {
  const [first, last] = [offsets[0], offsets[offsets.length - 1]];
  return first === 0 && last === end ? null : `${name} goes from ${first} to ${last}, expected 0 to ${end}`;
}

function fallFault(name: string, offsets: Uint32Array): string | null {
  const at = offsets.findIndex((offset, row) => offset < (offsets[row - 1] ?? 0));
  return at < 0 ? null : `${name} falls at row ${at}`;
}

function stringsFault(columns: Columns, counts: RowCounts): string | null {
  const required = ['file_path', 'unit_name', 'unit_signature'] as const;
  const optional = ['file_language', 'file_skipped', 'unit_qualified', 'unit_namespace', 'unit_doc'] as const;
  for (const name of required) {
    if (columns[name].some((number) => number >= counts.string)) return `${name} names a string that is not there`;
  }
  for (const name of optional) {
    if (columns[name].some((number) => number >= counts.string && number !== NONE)) {
      return `${name} names a string that is not there`;
    }
  }
  return null;
}

function wordsFault(name: string, column: Uint8Array, words: number): string | null {
  return column.some((number) => number >= words) ? `${name} names a word that is not there` : null;
}

function targetsFault(targets: Int32Array, counts: RowCounts): string | null {
  const outside = targets.findIndex((target) => (target >= 0 ? target >= counts.unit : -1 - target >= counts.string));
  return outside < 0 ? null : `edge ${outside} has a target that is not there`;
}

/** Paths stand in byte order, each once: look-ups are binary searches. */
function orderFault(columns: Columns, files: number): string | null {
  const { file_path, string_offset, string_bytes } = columns;
  const bytes = Buffer.from(string_bytes.buffer, string_bytes.byteOffset, string_bytes.byteLength);
  const start = (file: number) => string_offset[file_path[file] ?? 0] ?? 0;
  const end = (file: number) => string_offset[(file_path[file] ?? 0) + 1] ?? 0;
  for (let file = 1; file < files; file += 1) {
    const order = bytes.compare(bytes, start(file - 1), end(file - 1), start(file), end(file));
    if (order <= 0) return `file ${file} does not come after the one before it`;
  }
  return null;
}
