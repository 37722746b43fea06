/** Rows of a segment as the model's objects: for writers and for answers, never for walking a whole index. */
import type { Edge, JsonValue, SourceInput, Span, Unit } from '../../model.ts';
import { FILE_FLAG, NONE } from './columns.ts';
import { identifierOf, optionalStringAt, pathOf, qualifiedNameOf, type Segment, stringAt } from './segment.ts';

export function sourceInputOf(segment: Segment, file: number): SourceInput {
  const { columns } = segment;
  const hashed = ((columns.file_flags[file] ?? 0) & FILE_FLAG.hashed) !== 0;
  return {
    path: pathOf(segment, file),
    size: columns.file_size[file] ?? 0,
    mtimeNs: columns.file_mtime[file] ?? 0n,
    ctimeNs: columns.file_ctime[file] ?? 0n,
    ino: columns.file_inode[file] ?? 0n,
    hash: hashed ? hexOf(columns.file_hash, file * 32, 32) : null,
    language: optionalStringAt(segment, columns.file_language[file] ?? NONE),
    skipped: optionalStringAt(segment, columns.file_skipped[file] ?? NONE),
  };
}

/** Where the file's text stands in the bodies file of the segment; null when it has none. */
export function bodyRangeOf(segment: Segment, file: number): { offset: number; bytes: number } | null {
  const { file_flags, file_body_offset, file_body_bytes } = segment.columns;
  if (((file_flags[file] ?? 0) & FILE_FLAG.body) === 0) return null;
  return { offset: file_body_offset[file] ?? 0, bytes: file_body_bytes[file] ?? 0 };
}

export function spanOf(segment: Segment, unit: number): Span {
  const { columns } = segment;
  return {
    start: columns.unit_start[unit] ?? 0,
    end: columns.unit_end[unit] ?? 0,
    startLine: columns.unit_start_line[unit] ?? 0,
    endLine: columns.unit_end_line[unit] ?? 0,
  };
}

export function unitTypeOf(segment: Segment, unit: number): string {
  return segment.header.types[segment.columns.unit_type[unit] ?? 0] ?? '';
}

/** A unit as it was published; `type` may be a word that this version does not know. */
export type StoredUnit = Omit<Unit, 'type'> & { readonly type: string };

export function unitOf(segment: Segment, unit: number): StoredUnit {
  const { columns } = segment;
  return {
    identifier: identifierOf(segment, unit),
    type: unitTypeOf(segment, unit),
    name: stringAt(segment, columns.unit_name[unit] ?? 0),
    namespace: optionalStringAt(segment, columns.unit_namespace[unit] ?? NONE),
    span: spanOf(segment, unit),
    signature: stringAt(segment, columns.unit_signature[unit] ?? 0),
    doc: optionalStringAt(segment, columns.unit_doc[unit] ?? NONE),
    metadata: metadataOf(segment, unit),
    contentHash: hexOf(columns.unit_content_hash, unit * 8, 8),
  };
}

/** An edge as it was published; `via` and `resolution` may be words that this version does not know. */
export type StoredEdge = Omit<Edge, 'via' | 'resolution'> & { readonly via: string; readonly resolution: string };

/** The edges of one file, grouped by source in the order of its units, each group in the order it was published. */
export function edgesOfFile(segment: Segment, file: number): StoredEdge[] {
  const { file_unit, unit_edge } = segment.columns;
  const path = pathOf(segment, file);
  const edges: StoredEdge[] = [];
  for (let unit = file_unit[file] ?? 0; unit < (file_unit[file + 1] ?? 0); unit += 1) {
    const qualified = qualifiedNameOf(segment, unit);
    const source = qualified === null ? path : `${path}#${qualified}`;
    for (let edge = unit_edge[unit] ?? 0; edge < (unit_edge[unit + 1] ?? 0); edge += 1) {
      edges.push(edgeOf(segment, edge, source));
    }
  }
  return edges;
}

export function edgeOf(segment: Segment, edge: number, source: string): StoredEdge {
  const { columns, header } = segment;
  const target = columns.edge_target[edge] ?? 0;
  return {
    source,
    target: target >= 0 ? identifierOf(segment, target) : stringAt(segment, -1 - target),
    via: header.vias[columns.edge_via[edge] ?? 0] ?? '',
    resolution: header.resolutions[columns.edge_resolution[edge] ?? 0] ?? '',
    line: columns.edge_line[edge] ?? 0,
  };
}

export function unitsOfFile(segment: Segment, file: number): StoredUnit[] {
  const { file_unit } = segment.columns;
  const first = file_unit[file] ?? 0;
  return Array.from({ length: (file_unit[file + 1] ?? 0) - first }, (_, at) => unitOf(segment, first + at));
}

function metadataOf(segment: Segment, unit: number): { readonly [key: string]: JsonValue } {
  const { unit_extra, extras } = segment.columns;
  const [start, end] = [unit_extra[unit] ?? 0, unit_extra[unit + 1] ?? 0];
  if (start === end) return {};
  // Written by `encodeSegment` and protected by the checksum, so it has the shape that was put in.
  const extra = JSON.parse(Buffer.from(extras.buffer, extras.byteOffset + start, end - start).toString('utf8')) as {
    metadata?: { [key: string]: JsonValue };
  };
  return extra.metadata ?? {};
}

function hexOf(column: Uint8Array, offset: number, length: number): string {
  return Buffer.from(column.buffer, column.byteOffset + offset, length).toString('hex');
}
