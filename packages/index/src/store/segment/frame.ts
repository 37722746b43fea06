/**
 * The frame around the columns: magic, checksum, a JSON header that says where each column is, then the columns.
 * FORMAT.md has it to the byte.
 */
import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import { isObject } from '@woods/protocol';
import { damaged, type IndexError } from '../../errors.ts';
import {
  COLUMN_NAMES,
  COLUMNS,
  type Columns,
  ELEMENT_BYTES,
  expectedLength,
  type RowCounts,
  viewOf,
} from './columns.ts';

/** The last byte is the version: a reader refuses any other. Added columns do not change it. */
const MAGIC = Buffer.from('WOODSEG\x01', 'latin1');
const HEADER_OFFSET = 16;
const ALIGNMENT = 8;

export interface SegmentHeader {
  readonly counts: RowCounts;
  readonly types: readonly string[];
  readonly vias: readonly string[];
  readonly resolutions: readonly string[];
  /** Paths that the segment deletes from those before it. */
  readonly tombstones: readonly string[];
}

interface PlacedColumn {
  readonly name: string;
  readonly type: string;
  /** Bytes from the end of the header. */
  readonly offset: number;
  readonly bytes: number;
}

const aligned = (offset: number): number => Math.ceil(offset / ALIGNMENT) * ALIGNMENT;

/** The bytes of a segment file. */
export function frameSegment(header: SegmentHeader, columns: Columns): Uint8Array {
  const placed: PlacedColumn[] = [];
  let end = 0;
  for (const name of COLUMN_NAMES) {
    const offset = aligned(end);
    const bytes = columns[name].byteLength;
    placed.push({ name, type: COLUMNS[name].type, offset, bytes });
    end = offset + bytes;
  }
  const text = Buffer.from(JSON.stringify({ ...header, columns: placed }));
  const start = aligned(HEADER_OFFSET + text.length);
  const out = Buffer.alloc(start + end);
  MAGIC.copy(out, 0);
  out.writeUInt32LE(text.length, 8);
  text.copy(out, HEADER_OFFSET);
  for (const { name, offset } of placed) {
    // `placed` was made from COLUMN_NAMES just above.
    const { buffer, byteOffset, byteLength } = columns[name as keyof Columns];
    out.set(new Uint8Array(buffer, byteOffset, byteLength), start + offset);
  }
  out.writeUInt32LE(crc32(out.subarray(HEADER_OFFSET)), 12);
  return out;
}

/** Columns as views over `file`, which must hold nothing else. Throws IndexError `corrupt_artifact`. */
export function unframeSegment(file: ArrayBuffer, name: string): { header: SegmentHeader; columns: Columns } {
  const corrupt = (detail: string) => damaged(`segment ${name}`, detail);
  if (endianness() !== 'LE') throw corrupt('its columns are little endian, this machine is big endian');
  const bytes = Buffer.from(file);
  if (bytes.length < HEADER_OFFSET) throw corrupt(`expected at least ${HEADER_OFFSET} bytes, found ${bytes.length}`);
  if (bytes.compare(MAGIC, 0, 7, 0, 7) !== 0) throw corrupt('it does not begin as a segment does');
  if (bytes[7] !== MAGIC[7]) throw corrupt(`expected format ${MAGIC[7]}, found ${bytes[7]}`);
  const headerBytes = bytes.readUInt32LE(8);
  if (headerBytes > bytes.length - HEADER_OFFSET) throw corrupt('its header is longer than the file');
  if (crc32(bytes.subarray(HEADER_OFFSET)) !== bytes.readUInt32LE(12)) throw corrupt('its checksum is wrong');
  const { header, placed } = parseHeader(bytes.toString('utf8', HEADER_OFFSET, HEADER_OFFSET + headerBytes), corrupt);
  const start = aligned(HEADER_OFFSET + headerBytes);
  const byName = new Map(placed.map((column) => [column.name, column]));
  const views = COLUMN_NAMES.map((column) => {
    const place = byName.get(column);
    const { type } = COLUMNS[column];
    if (place === undefined || place.type !== type) throw corrupt(`expected a column ${column} of ${type}`);
    const length = place.bytes / ELEMENT_BYTES[type];
    const expected = expectedLength(column, header.counts);
    if (!Number.isInteger(length) || (expected !== null && length !== expected)) {
      throw corrupt(`column ${column} has ${length} elements, expected ${expected}`);
    }
    if (place.offset % ALIGNMENT !== 0 || start + place.offset + place.bytes > bytes.length) {
      throw corrupt(`column ${column} is not inside the file`);
    }
    return [column, viewOf(type, file, start + place.offset, length)] as const;
  });
  // Each view was made with the type that the table gives its name, which fromEntries cannot express.
  return { header, columns: Object.fromEntries(views) as Columns };
}

function parseHeader(
  text: string,
  corrupt: (detail: string) => IndexError,
): { header: SegmentHeader; placed: PlacedColumn[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw corrupt('its header is not JSON');
  }
  if (!isHeader(value)) throw corrupt('its header lacks a field or has one of another type');
  const { columns, ...header } = value;
  return { header, placed: columns };
}

function isHeader(value: unknown): value is SegmentHeader & { columns: PlacedColumn[] } {
  if (!isObject(value) || !isObject(value.counts)) return false;
  const { string, file, unit, edge } = value.counts;
  return (
    [string, file, unit, edge].every(isCount) &&
    [value.types, value.vias, value.resolutions, value.tombstones].every(isStrings) &&
    Array.isArray(value.columns) &&
    value.columns.every(
      (column) =>
        isObject(column) &&
        typeof column.name === 'string' &&
        typeof column.type === 'string' &&
        isCount(column.offset) &&
        isCount(column.bytes),
    )
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32;
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
