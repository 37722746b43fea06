/** Files with their units and edges → the bytes of a segment. Pure. */
import { Buffer } from 'node:buffer';
import type { Edge, SourceInput, Unit } from '../../model.ts';
import { allocateColumns, type Columns, FILE_FLAG, NONE } from './columns.ts';
import { frameSegment } from './frame.ts';
import { createStringTable, type StringTable } from './strings.ts';
import { createVocabulary } from './vocabulary.ts';

/** A file as a segment keeps it: its text goes into the bodies file, only its length in bytes is known here. */
export interface SegmentFile {
  readonly input: SourceInput;
  readonly units: readonly Unit[];
  readonly edges: readonly Edge[];
  readonly bodyBytes: number | null;
}

export interface EncodedSegment {
  readonly bytes: Uint8Array;
  /** The same files, in the order in which their texts stand in the bodies file. */
  readonly files: readonly SegmentFile[];
}

const MAX_U32 = 0xffffffff;

/**
 * Throws a TypeError for what no linker may produce: an identifier that is not of its file or not unique, an edge
 * whose source is in another file, a span or a hash out of range.
 */
export function encodeSegment(input: { files: Iterable<SegmentFile>; tombstones: Iterable<string> }): EncodedSegment {
  const files = sortedByPath(input.files);
  const unitNumbers = numberUnits(files);
  const strings = createStringTable();
  const types = createVocabulary();
  const vias = createVocabulary();
  const resolutions = createVocabulary();
  const extras = files.map(({ units }) => units.map(extraOf));
  const extraBytes = Buffer.from(extras.flat().join(''));

  // Strings first: their number decides how long their own columns are. What is searched for stands together in front.
  const names = files.map((file) => internNames(file, strings));
  const rows = files.map((file, at) => internRest(file, names[at] ?? [], strings, unitNumbers));
  const table = strings.finish();
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

interface FileRow {
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

interface UnitRow extends NameRow {
  readonly namespace: number;
  readonly signature: number;
  readonly doc: number;
}

/** By the bytes of their paths, the order in which a reader's binary search compares. */
function sortedByPath(files: Iterable<SegmentFile>): SegmentFile[] {
  const keyed = [...files].map((file) => ({ file, key: Buffer.from(file.input.path) }));
  keyed.sort((a, b) => Buffer.compare(a.key, b.key));
  for (let at = 1; at < keyed.length; at += 1) {
    const [before, here] = [keyed[at - 1], keyed[at]];
    if (before !== undefined && here !== undefined && before.key.equals(here.key)) {
      throw new TypeError(`two blocks for the file ${here.file.input.path}`);
    }
  }
  return keyed.map(({ file }) => file);
}

function numberUnits(files: readonly SegmentFile[]): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { input, units } of files) {
    for (const { identifier } of units) {
      if (numbers.has(identifier)) throw new TypeError(`two units are called ${identifier}`);
      if (identifier !== input.path && !identifier.startsWith(`${input.path}#`)) {
        throw new TypeError(`the unit ${identifier} is not named after its file ${input.path}`);
      }
      numbers.set(identifier, numbers.size);
    }
  }
  return numbers;
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

/** `{}` is the rule and takes no line. */
function extraOf(unit: Unit): string {
  for (const _ in unit.metadata) return `${JSON.stringify({ metadata: unit.metadata })}\n`;
  return '';
}

function writeInput(columns: Columns, at: number, file: SegmentFile, row: FileRow): void {
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

function writeUnit(columns: Columns, at: number, unit: Unit, row: UnitRow | undefined): void {
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

function writeEdges(
  columns: Columns,
  files: readonly SegmentFile[],
  rows: readonly FileRow[],
  words: {
    unitNumbers: ReadonlyMap<string, number>;
    vias: ReturnType<typeof createVocabulary>;
    resolutions: ReturnType<typeof createVocabulary>;
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
