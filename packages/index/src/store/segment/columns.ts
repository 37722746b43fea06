/**
 * The columns of a segment, by name. FORMAT.md describes them to the byte; this table is what code goes by.
 * A reader takes the columns that it knows and ignores the rest, so that later versions can add some.
 */

export type ElementType = 'u8' | 'u32' | 'i32' | 'f64' | 'i64' | 'u64';

export interface ElementArrays {
  u8: Uint8Array;
  u32: Uint32Array;
  i32: Int32Array;
  f64: Float64Array;
  i64: BigInt64Array;
  u64: BigUint64Array;
}

export const ELEMENT_BYTES: { readonly [T in ElementType]: number } = { u8: 1, u32: 4, i32: 4, f64: 8, i64: 8, u64: 8 };

/** What a column has one row for; `blob` columns have any length. */
export type Rows = 'string' | 'file' | 'unit' | 'edge' | 'blob';

interface Column<T extends ElementType> {
  readonly type: T;
  readonly rows: Rows;
  /** Elements a row. */
  readonly width: number;
  /** Elements after the last row: 1 for a column of offsets, whose last element is the end. */
  readonly tail: 0 | 1;
}

const column = <T extends ElementType>(type: T, rows: Rows, width = 1): Column<T> => ({ type, rows, width, tail: 0 });
const offsets = (rows: Rows): Column<'u32'> => ({ type: 'u32', rows, width: 1, tail: 1 });

export const COLUMNS = {
  string_offset: offsets('string'),
  string_bytes: column('u8', 'blob'),
  file_path: column('u32', 'file'),
  file_size: column('f64', 'file'),
  file_mtime: column('i64', 'file'),
  file_ctime: column('i64', 'file'),
  file_inode: column('u64', 'file'),
  file_hash: column('u8', 'file', 32),
  file_flags: column('u8', 'file'),
  file_language: column('u32', 'file'),
  file_skipped: column('u32', 'file'),
  file_unit: offsets('file'),
  file_body_offset: column('f64', 'file'),
  file_body_bytes: column('u32', 'file'),
  unit_type: column('u8', 'unit'),
  unit_qualified: column('u32', 'unit'),
  unit_name: column('u32', 'unit'),
  unit_namespace: column('u32', 'unit'),
  unit_signature: column('u32', 'unit'),
  unit_doc: column('u32', 'unit'),
  unit_start: column('u32', 'unit'),
  unit_end: column('u32', 'unit'),
  unit_start_line: column('u32', 'unit'),
  unit_end_line: column('u32', 'unit'),
  unit_content_hash: column('u8', 'unit', 8),
  unit_extra: offsets('unit'),
  unit_edge: offsets('unit'),
  extras: column('u8', 'blob'),
  edge_target: column('i32', 'edge'),
  edge_via: column('u8', 'edge'),
  edge_resolution: column('u8', 'edge'),
  edge_line: column('u32', 'edge'),
} as const;

export type ColumnName = keyof typeof COLUMNS;
export type Columns = { readonly [N in ColumnName]: ElementArrays[(typeof COLUMNS)[N]['type']] };
export type RowCounts = { readonly [R in Exclude<Rows, 'blob'>]: number };

// Object.keys loses the literal names of a const object; these are exactly its keys.
export const COLUMN_NAMES = Object.keys(COLUMNS) as readonly ColumnName[];

/** "No string": in columns of string numbers where a value may be absent. */
export const NONE = 0xffffffff;

export const FILE_FLAG = { hashed: 1, body: 2 } as const;

/** Elements that a column must have; null where any number is right. */
export function expectedLength(name: ColumnName, counts: RowCounts): number | null {
  const { rows, width, tail } = COLUMNS[name];
  return rows === 'blob' ? null : counts[rows] * width + tail;
}

/** A view of `length` elements over `buffer`; `offset` must be a multiple of 8. */
export function viewOf(
  type: ElementType,
  buffer: ArrayBuffer,
  offset: number,
  length: number,
): ElementArrays[ElementType] {
  switch (type) {
    case 'u8':
      return new Uint8Array(buffer, offset, length);
    case 'u32':
      return new Uint32Array(buffer, offset, length);
    case 'i32':
      return new Int32Array(buffer, offset, length);
    case 'f64':
      return new Float64Array(buffer, offset, length);
    case 'i64':
      return new BigInt64Array(buffer, offset, length);
    case 'u64':
      return new BigUint64Array(buffer, offset, length);
  }
}

/** Columns of zeros for these counts; `blobs` are taken as they are. */
export function allocateColumns(counts: RowCounts, blobs: { string_bytes: Uint8Array; extras: Uint8Array }): Columns {
  const made = COLUMN_NAMES.map((name) => {
    if (name === 'string_bytes' || name === 'extras') return [name, blobs[name]] as const;
    const { type } = COLUMNS[name];
    const length = expectedLength(name, counts) ?? 0;
    return [name, viewOf(type, new ArrayBuffer(length * ELEMENT_BYTES[type]), 0, length)] as const;
  });
  // The table gives each name the array of its own type, which fromEntries cannot express.
  return Object.fromEntries(made) as Columns;
}
