/** Kinds of values that records, files and configuration are made of: what is accepted, and how to say so to a user. */
import { isAbsolute, normalize } from 'node:path';
import { isObject, type JsonObject } from './json.ts';

export interface Kind<T> {
  /** Follows "expected": `a positive integer`. */
  readonly expected: string;
  /** The accepted value, wrapped because it may be null itself; null when it is not of this kind. */
  readonly read: (found: unknown) => { readonly value: T } | null;
}

/** A whole number that a double holds exactly, within [min, max]. */
export function integer(range: { min: number; max?: number }): Kind<number> {
  const { min, max = Number.MAX_SAFE_INTEGER } = range;
  return accept<number>(
    describeRange('an integer', range),
    (found) => typeof found === 'number' && Number.isSafeInteger(found) && found >= min && found <= max,
  );
}

/** Text that matches `pattern`, which bounds its length too. */
export function text(expected: string, pattern: RegExp): Kind<string> {
  return accept<string>(expected, (found) => typeof found === 'string' && pattern.test(found));
}

export function oneOf<const T extends string>(words: readonly T[]): Kind<T> {
  return accept<T>(words.join(', '), (found) => words.some((word) => word === found));
}

export function nullable<T>(kind: Kind<T>): Kind<T | null> {
  return {
    expected: `${kind.expected}, or null`,
    read: (found) => (found === null ? { value: null } : kind.read(found)),
  };
}

/** As `nullable`, and absent counts as null: for fields that older writers do not know. */
export function optional<T>(kind: Kind<T>): Kind<T | null> {
  return {
    expected: `${kind.expected}, or nothing`,
    read: (found) => (found === null || found === undefined ? { value: null } : kind.read(found)),
  };
}

export function listOf<T>(kind: Kind<T>): Kind<readonly T[]> {
  return {
    expected: `a list, each entry ${kind.expected}`,
    read: (found) => {
      if (!Array.isArray(found)) return null;
      const values: T[] = [];
      for (const entry of found) {
        const read = kind.read(entry);
        if (read === null) return null;
        values.push(read.value);
      }
      return { value: values };
    },
  };
}

export const boolean: Kind<boolean> = accept<boolean>('true or false', (found) => typeof found === 'boolean');

export const positiveInteger: Kind<number> = integer({ min: 1 });

export const nonEmptyText: Kind<string> = accept<string>(
  'text that is not empty',
  (found) => typeof found === 'string' && found.trim() !== '' && !found.includes('\0'),
);

/** A reason as it stands in records and status files, for machines: `boot_timeout`. */
export const reasonWord: Kind<string> = text('1 to 80 lower-case letters or _', /^[a-z_]{1,80}$/);

/** Absolute, `/`-separated, without `.`, `..`, doubled or trailing slashes, and writable as UTF-8. */
export const absolutePath: Kind<string> = accept<string>(
  'an absolute, normalized path',
  (found) => typeof found === 'string' && isNormalizedAbsolute(found),
);

/** ISO 8601 in UTC, as `Date.toISOString` and Ruby's `Time#iso8601` write it. */
export const utcTime: Kind<string> = accept<string>(
  'an ISO 8601 time in UTC',
  (found) =>
    typeof found === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|\+00:00)$/.test(found) &&
    Number.isFinite(Date.parse(found)),
);

/** Any JSON object; its content is the writer's own. */
export const jsonObject: Kind<JsonObject> = accept<JsonObject>('an object', isObject);

type Fields = Readonly<Record<string, Kind<unknown>>>;

export type Values<F extends Fields> = { readonly [K in keyof F]: F[K] extends Kind<infer T> ? T : never };

export type FieldsRead<F extends Fields> =
  | { readonly ok: true; readonly values: Values<F> }
  | { readonly ok: false; readonly field: string; readonly expected: string; readonly found: unknown };

/** Reads the named fields of `object`; others are ignored, so that additions never change what an old reader sees. */
export function readFields<const F extends Fields>(
  object: Readonly<Record<string, unknown>>,
  fields: F,
): FieldsRead<F> {
  const values: Record<string, unknown> = {};
  for (const [field, kind] of Object.entries(fields)) {
    const read = kind.read(object[field]);
    if (read === null) return { ok: false, field, expected: kind.expected, found: object[field] };
    values[field] = read.value;
  }
  // The loop above put a value of each field's own kind under its name; a mapped type cannot be built step by step.
  return { ok: true, values: values as Values<F> };
}

function accept<T>(expected: string, accepts: (found: unknown) => boolean): Kind<T> {
  // `accepts` is the proof that the value is a T.
  return { expected, read: (found) => (accepts(found) ? { value: found as T } : null) };
}

function describeRange(what: string, range: { min: number; max?: number }): string {
  if (range.max !== undefined) return `${what} from ${range.min} to ${range.max}`;
  if (range.min === 1) return `a positive ${what.replace(/^an? /, '')}`;
  return `${what}, ${range.min} or more`;
}

function isNormalizedAbsolute(path: string): boolean {
  if (!isAbsolute(path) || path.includes('\0') || normalize(path) !== path) return false;
  return (path === '/' || !path.endsWith('/')) && Buffer.from(path).toString() === path;
}
