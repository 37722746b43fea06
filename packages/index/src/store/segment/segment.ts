/** A segment in memory: columns over the bytes of its file, and look-ups that decode only what they return. */
import { damaged } from '../../errors.ts';
import { type Columns, NONE } from './columns.ts';
import { type SegmentHeader, unframeSegment } from './frame.ts';
import { findEndFault } from './structure.ts';

export interface Segment {
  readonly name: string;
  readonly header: SegmentHeader;
  readonly columns: Columns;
  readonly tombstones: ReadonlySet<string>;
  /** Of the whole file. */
  readonly byteLength: number;
  /** The same memory as `columns.string_bytes`, for comparing and decoding. */
  readonly text: Buffer;
}

/** Checks the checksum and the size of each column. Throws IndexError `corrupt_artifact`. `file` is kept, not copied. */
export function openSegment(file: ArrayBuffer, name: string): Segment {
  const { header, columns } = unframeSegment(file, name);
  const fault = findEndFault(header, columns);
  if (fault !== null) throw damaged(`segment ${name}`, fault);
  const { buffer, byteOffset, byteLength } = columns.string_bytes;
  return {
    name,
    header,
    columns,
    tombstones: new Set(header.tombstones),
    byteLength: file.byteLength,
    text: Buffer.from(buffer, byteOffset, byteLength),
  };
}

export function stringAt(segment: Segment, number: number): string {
  const { string_offset } = segment.columns;
  return segment.text.toString('utf8', string_offset[number], string_offset[number + 1]);
}

export function optionalStringAt(segment: Segment, number: number): string | null {
  return number === NONE ? null : stringAt(segment, number);
}

/** Negative, 0 or positive as the string sorts before, equals or sorts after `bytes`. */
function compareString(segment: Segment, number: number, bytes: Buffer): number {
  const { string_offset } = segment.columns;
  return segment.text.compare(bytes, 0, bytes.length, string_offset[number], string_offset[number + 1]);
}

export function pathOf(segment: Segment, file: number): string {
  return stringAt(segment, segment.columns.file_path[file] ?? 0);
}

/** Compares bytes, without decoding the path. */
export function pathEndsWith(segment: Segment, file: number, ending: Buffer): boolean {
  const { file_path, string_offset } = segment.columns;
  const path = file_path[file] ?? 0;
  const end = string_offset[path + 1] ?? 0;
  const start = end - ending.length;
  if (start < (string_offset[path] ?? 0) || segment.text[start] !== ending[0]) return false;
  return segment.text.compare(ending, 0, ending.length, start, end) === 0;
}

/** The number of the file with this path (UTF-8), or -1. */
export function findFile(segment: Segment, path: Buffer): number {
  const { file_path } = segment.columns;
  let low = 0;
  let high = file_path.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = compareString(segment, file_path[middle] ?? 0, path);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The number of the file that a unit stands in. */
export function fileOfUnit(segment: Segment, unit: number): number {
  const { file_unit } = segment.columns;
  let low = 0;
  let high = segment.header.counts.file - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((file_unit[middle] ?? 0) <= unit) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function pathOfUnit(segment: Segment, unit: number): string {
  return pathOf(segment, fileOfUnit(segment, unit));
}

/** What an identifier has after `<path>#`; null for the unit that is called as its file. */
export function qualifiedNameOf(segment: Segment, unit: number): string | null {
  return optionalStringAt(segment, segment.columns.unit_qualified[unit] ?? NONE);
}

export function identifierOf(segment: Segment, unit: number): string {
  const path = pathOfUnit(segment, unit);
  const qualified = qualifiedNameOf(segment, unit);
  return qualified === null ? path : `${path}#${qualified}`;
}

/** The unit of `file` with this qualified name (null: the one called as the file), or -1. */
export function findUnitInFile(segment: Segment, file: number, qualified: string | null): number {
  const { file_unit, unit_qualified } = segment.columns;
  const end = file_unit[file + 1] ?? 0;
  const bytes = qualified === null ? null : Buffer.from(qualified);
  for (let unit = file_unit[file] ?? 0; unit < end; unit += 1) {
    const number = unit_qualified[unit] ?? NONE;
    if (bytes === null ? number === NONE : number !== NONE && compareString(segment, number, bytes) === 0) return unit;
  }
  return -1;
}

/** The number of this string (UTF-8), or -1. Searches the bytes of all strings at once, without decoding any. */
export function findString(segment: Segment, bytes: Buffer): number {
  if (bytes.length === 0) return emptyString(segment);
  const { string_offset } = segment.columns;
  for (let at = segment.text.indexOf(bytes); at >= 0; at = segment.text.indexOf(bytes, at + 1)) {
    const number = stringAround(segment, at);
    if (string_offset[number] === at && string_offset[number + 1] === at + bytes.length) return number;
  }
  return -1;
}

/** The number of the string that the byte at `offset` of all strings belongs to. */
export function stringAround(segment: Segment, offset: number): number {
  const { string_offset } = segment.columns;
  let low = 0;
  let high = segment.header.counts.string - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((string_offset[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function emptyString(segment: Segment): number {
  const { string_offset } = segment.columns;
  for (let number = 0; number < segment.header.counts.string; number += 1) {
    if (string_offset[number] === string_offset[number + 1]) return number;
  }
  return -1;
}
