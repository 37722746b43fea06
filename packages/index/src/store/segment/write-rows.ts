/** Rows into columns, with every number checked against what its column can hold. */
import type { Unit } from '../../model.ts';
import { type Columns, FILE_FLAG } from './columns.ts';
import type { FileRow, UnitRow } from './intern.ts';
import type { SegmentFile } from './segment-file.ts';
import type { Vocabulary } from './vocabulary.ts';

const MAX_U32 = 0xffffffff;

export function writeInput(columns: Columns, at: number, file: SegmentFile, row: FileRow): void {
  const { path, size, mtimeNs, ctimeNs, ino, hash } = file.input;
  if (!Number.isSafeInteger(size) || size < 0) throw new TypeError(`${path}: expected a size in bytes, found ${size}`);
  columns.file_path[at] = row.path;
  columns.file_size[at] = size;
  columns.file_mtime[at] = mtimeNs;
  columns.file_ctime[at] = ctimeNs;
  columns.file_inode[at] = ino;
  if (hash !== null) columns.file_hash.set(hexBytes(hash, 32, path), at * 32);
  columns.file_flags[at] = (hash === null ? 0 : FILE_FLAG.hashed) | (file.bodyBytes === null ? 0 : FILE_FLAG.body);
  columns.file_language[at] = row.language;
  columns.file_skipped[at] = row.skipped;
  columns.file_body_bytes[at] = checkedU32(file.bodyBytes ?? 0, path);
}

export function writeUnit(columns: Columns, at: number, unit: Unit, row: UnitRow | undefined): void {
  if (row === undefined) return;
  const { start, end, startLine, endLine } = unit.span;
  columns.unit_qualified[at] = row.qualified;
  columns.unit_name[at] = row.name;
  columns.unit_namespace[at] = row.namespace;
  columns.unit_signature[at] = row.signature;
  columns.unit_doc[at] = row.doc;
  columns.unit_start[at] = checkedU32(start, unit.identifier);
  columns.unit_end[at] = checkedU32(end, unit.identifier);
  columns.unit_start_line[at] = checkedU32(startLine, unit.identifier);
  columns.unit_end_line[at] = checkedU32(endLine, unit.identifier);
  columns.unit_content_hash.set(hexBytes(unit.contentHash, 8, unit.identifier), at * 8);
}

/** Edges are grouped by the unit that they leave. Throws a TypeError for one that leaves a unit of another file. */
export function writeEdges(
  columns: Columns,
  files: readonly SegmentFile[],
  rows: readonly FileRow[],
  words: {
    unitNumbers: ReadonlyMap<string, number>;
    vias: Vocabulary;
    resolutions: Vocabulary;
  },
): void {
  const firstEdge = columns.unit_edge;
  const sources = files.map(({ input, edges }, at) => {
    const first = columns.file_unit[at] ?? 0;
    const end = columns.file_unit[at + 1] ?? 0;
    return edges.map(({ source }) => {
      const unit = words.unitNumbers.get(source) ?? -1;
      if (unit < first || unit >= end) throw new TypeError(`an edge of ${input.path} comes from ${source}`);
      firstEdge[unit + 1] = (firstEdge[unit + 1] ?? 0) + 1;
      return unit;
    });
  });
  for (let unit = 1; unit < firstEdge.length; unit += 1) {
    firstEdge[unit] = (firstEdge[unit] ?? 0) + (firstEdge[unit - 1] ?? 0);
  }
  const next = firstEdge.slice();
  for (const [file, { edges }] of files.entries()) {
    for (const [at, edge] of edges.entries()) {
      const unit = sources[file]?.[at] ?? 0;
      const place = next[unit] ?? 0;
      next[unit] = place + 1;
      columns.edge_target[place] = rows[file]?.targets[at] ?? 0;
      columns.edge_via[place] = words.vias.number(edge.via);
      columns.edge_resolution[place] = words.resolutions.number(edge.resolution);
      columns.edge_line[place] = checkedU32(edge.line, edge.source);
    }
  }
}

function checkedU32(value: number, owner: string): number {
  if (!Number.isInteger(value) || value < 0 || value > MAX_U32) {
    throw new TypeError(`${owner}: expected an integer from 0 to ${MAX_U32}, found ${value}`);
  }
  return value;
}

function hexBytes(hex: string, length: number, owner: string): Uint8Array {
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length !== length || hex.length !== length * 2) {
    throw new TypeError(`${owner}: expected ${length * 2} hex digits, found ${hex}`);
  }
  return bytes;
}
