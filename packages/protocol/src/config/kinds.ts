/** Kinds of values that only configuration has. */
import { isAbsolute } from 'node:path';
import { isObject } from '../values/json.ts';
import { type Kind, listOf, nonEmptyText, optional, readFields } from '../values/kinds.ts';

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Timers that are set to more than this fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** A duration in milliseconds; written as a number of seconds, or as text with a unit: 0.5, "500ms", "14d". */
export function duration(range: { min: 'zero' | 'more_than_zero'; max?: 'timer' }): Kind<number> {
  const max = range.max === 'timer' ? MAX_TIMER_MS : Number.MAX_SAFE_INTEGER;
  return {
    expected:
      `a number of seconds, ${range.min === 'zero' ? '0 or more' : 'more than 0'}` +
      `${range.max === 'timer' ? ' and at most 24 days' : ''}, or text with a unit such as "500ms" or "14d"`,
    read: (found) => {
      const ms = toMilliseconds(found);
      const tooSmall = range.min === 'zero' ? ms < 0 : ms <= 0;
      return !Number.isFinite(ms) || tooSmall || ms > max ? null : { value: ms };
    },
  };
}

function toMilliseconds(found: unknown): number {
  if (typeof found === 'number') return found * 1000;
  const match = typeof found === 'string' ? /^(\d+(?:\.\d+)?|\.\d+)\s*(ms|s|m|h|d)?$/.exec(found.trim()) : null;
  if (match === null) return Number.NaN;
  return Number(match[1]) * (UNIT_MS[match[2] ?? 's'] ?? Number.NaN);
}

export interface Project {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** Environment of the project's git and forge children. */
  readonly env: Readonly<Record<string, string>>;
  /** A file with more of it, or null. */
  readonly envFile: string | null;
}

const absolute: Kind<string> = {
  expected: 'an absolute path',
  read: (found) => (typeof found === 'string' && isAbsolute(found) && !found.includes('\0') ? { value: found } : null),
};

const environment: Kind<Readonly<Record<string, string>>> = {
  expected: 'an object of variables with text values',
  read: (found) => {
    if (!isObject(found)) return null;
    const entries: [string, string][] = [];
    for (const [name, value] of Object.entries(found)) {
      if (typeof value !== 'string' || !/^[^=\0]+$/.test(name) || value.includes('\0')) return null;
      entries.push([name, value]);
    }
    return { value: Object.fromEntries(entries) };
  },
};

const PROJECT_FIELDS = {
  name: nonEmptyText,
  path: absolute,
  env: optional(environment),
  envFile: optional(nonEmptyText),
};

const project: Kind<Project> = {
  expected: 'an object with name, an absolute path, and optionally env and envFile',
  read: (found) => {
    if (!isObject(found) || Object.keys(found).some((key) => !Object.hasOwn(PROJECT_FIELDS, key))) return null;
    const read = readFields(found, PROJECT_FIELDS);
    return read.ok ? { value: { ...read.values, env: read.values.env ?? {} } } : null;
  },
};

export const projects: Kind<readonly Project[]> = listOf(project);
