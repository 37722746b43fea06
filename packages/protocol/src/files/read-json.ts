import { isObject } from '../values/json.ts';
import { boundedRead } from './bounded-read.ts';

/** What became of reading a file of ours. `corrupt` is anything but a whole, valid file; `detail` says what was found. */
export type Read<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'missing' }
  | { readonly kind: 'corrupt'; readonly detail: string };

/** Decodes the JSON object in a file; `decode` judges its content. Never throws, whatever lies at `path`. */
export function readJsonFile<T>(
  path: string,
  maxBytes: number,
  decode: (object: Readonly<Record<string, unknown>>) => Read<T>,
): Read<T> {
  const read = boundedRead(path, maxBytes);
  if (read.ok) return decodeJson(read.text, decode);
  return read.reason === 'missing' ? { kind: 'missing' } : { kind: 'corrupt', detail: read.detail };
}

function decodeJson<T>(text: string, decode: (object: Readonly<Record<string, unknown>>) => Read<T>): Read<T> {
  const value = parseOrUndefined(text);
  if (value === undefined) return { kind: 'corrupt', detail: 'expected JSON, found something else or half of it' };
  if (!isObject(value)) return { kind: 'corrupt', detail: 'expected a JSON object, found another value' };
  return decode(value);
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
