/** `generation.json`: the commit point. Whatever it names is published; nothing else is. */
import { realpathSync } from 'node:fs';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { nonEmptyText, positiveInteger, text, utcTime } from '../values/kinds.ts';
import { quote } from '../values/quote.ts';
import { atomicWrite } from './atomic-write.ts';
import { decodeFields } from './decode.ts';
import { type Read, readJsonFile } from './read-json.ts';

export interface Pointer {
  readonly number: number;
  /** 16 hex digits; tells two generations of the same number apart. */
  readonly token: string;
  /** ISO 8601 UTC. */
  readonly updated_at: string;
  readonly reason: string;
  /** Relative to the index directory: `payloads/gen-42`. */
  readonly payload: string;
}

/** A payload that cannot be read: it lies outside the index, or is gone. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
  readonly kind: 'outside' | 'missing';

  constructor(kind: 'outside' | 'missing', message: string) {
    super(message);
    this.kind = kind;
  }
}

const NAME = 'generation.json';
const MODE = 0o600;
const MAX_BYTES = 8192;

const FIELDS = {
  number: positiveInteger,
  token: text('16 hex digits', /^[0-9a-f]{16}$/),
  updated_at: utcTime,
  reason: nonEmptyText,
  payload: nonEmptyText,
};

export function pointerPath(indexDir: string): string {
  return join(indexDir, NAME);
}

/** Never throws; a pointer whose payload would lie outside the index directory is corrupt. */
export function readPointer(indexDir: string): Read<Pointer> {
  return readJsonFile(pointerPath(indexDir), MAX_BYTES, decodePointer);
}

/** Publishes: from the return of this call on, readers see `pointer`. Throws the system's error, and then they do not. */
export function writePointer(indexDir: string, pointer: Pointer): void {
  atomicWrite(pointerPath(indexDir), `${JSON.stringify(pointer)}\n`, { mode: MODE });
}

export function decodePointer(object: Readonly<Record<string, unknown>>): Read<Pointer> {
  const read = decodeFields(object, FIELDS, (values): Pointer => values);
  if (read.kind !== 'ok' || isBelow(read.value.payload)) return read;
  return {
    kind: 'corrupt',
    detail: `expected payload to be a path below the index directory, found ${quote(read.value.payload)}`,
  };
}

/**
 * The payload's directory, links resolved. Throws PayloadError when it is gone, or when it lies outside the index
 * directory, also by way of a link.
 */
export function resolvePayload(indexDir: string, pointer: Pointer): string {
  if (!isBelow(pointer.payload)) throw outside(pointer);
  const base = resolveOrThrow(indexDir, pointer);
  const payload = resolveOrThrow(join(indexDir, pointer.payload), pointer);
  if (!payload.startsWith(base === sep ? sep : `${base}${sep}`)) throw outside(pointer);
  return payload;
}

function isBelow(payload: string): boolean {
  if (isAbsolute(payload)) return false;
  const normalized = normalize(payload);
  return normalized !== '.' && normalized !== './' && normalized !== '..' && !normalized.startsWith(`..${sep}`);
}

function resolveOrThrow(path: string, pointer: Pointer): string {
  try {
    return realpathSync(path);
  } catch {
    throw new PayloadError(
      'missing',
      `generation ${pointer.number} names ${quote(pointer.payload)}, which is gone; run \`woods extract\` to index anew`,
    );
  }
}

function outside(pointer: Pointer): PayloadError {
  return new PayloadError(
    'outside',
    `generation ${pointer.number} names ${quote(pointer.payload)}, which is not below the index directory; ` +
      'run `woods extract` to index anew',
  );
}
