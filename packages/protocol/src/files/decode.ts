import { type FieldsRead, readFields, type Values } from '../values/kinds.ts';
import { printable, quote } from '../values/quote.ts';
import type { Read } from './read-json.ts';

/** Reads the fields of a file's object; the first bad one makes the file corrupt. */
export function decodeFields<const F extends Parameters<typeof readFields>[1], T>(
  object: Readonly<Record<string, unknown>>,
  fields: F,
  build: (values: Values<F>) => T,
): Read<T> {
  const read: FieldsRead<F> = readFields(object, fields);
  if (read.ok) return { kind: 'ok', value: build(read.values) };
  const detail = `expected ${read.field} to be ${read.expected}, found ${quote(read.found)}`;
  return { kind: 'corrupt', detail: printable(detail) };
}
