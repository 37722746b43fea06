import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { boundedRead } from '../files/bounded-read.ts';
import { UsageError } from '../names/usage-error.ts';
import { type Environment, readVariable } from '../names/variables.ts';
import { isObject } from '../values/json.ts';
import { printable, quote } from '../values/quote.ts';
import { CONFIG_KEYS, type ConfigKey, KEYS } from './keys.ts';
import { nearestWord } from './nearest.ts';

const MAX_BYTES = 262_144;

export interface ConfigFile {
  readonly path: string;
  readonly which: 'project' | 'user';
}

/** Values by key, as they stand in the file. */
export type RawValues = ReadonlyMap<ConfigKey, unknown>;

export function projectFile(root: string): ConfigFile {
  return { path: join(root, 'woods.json'), which: 'project' };
}

/** A relative XDG_CONFIG_HOME is to be ignored, says its specification. */
export function userFile(env: Environment): ConfigFile {
  const configured = readVariable(env, 'XDG_CONFIG_HOME');
  const base =
    configured !== null && isAbsolute(configured)
      ? configured
      : join(readVariable(env, 'HOME') ?? homedir(), '.config');
  return { path: join(base, 'woods', 'config.json'), which: 'user' };
}

/**
 * The keys that a file sets; an absent file sets none. Throws UsageError for a file that cannot be read, is not JSON,
 * or holds a key that is unknown or belongs in the other file. The values are not looked at.
 */
export function readConfigFile(file: ConfigFile): RawValues {
  const read = boundedRead(file.path, MAX_BYTES, { links: 'follow' });
  if (!read.ok) {
    if (read.reason === 'missing') return new Map();
    throw new UsageError(`${printable(file.path)} cannot be read: ${read.detail}`);
  }
  const content = parseFile(read.text, file);
  if (!isObject(content))
    throw new UsageError(`${printable(file.path)}: expected a JSON object, found ${quote(content)}`);
  const values = new Map<ConfigKey, unknown>();
  for (const [name, value] of flatten(content, file)) values.set(ownKey(name, file), value);
  return values;
}

function parseFile(text: string, file: ConfigFile): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `${printable(file.path)}: expected JSON (without comments), found otherwise: ${printable(cause)}`,
    );
  }
}

function* flatten(content: Readonly<Record<string, unknown>>, file: ConfigFile): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(content)) {
    if (!CONFIG_KEYS.some((key) => key.startsWith(`${name}.`))) {
      yield [name, value];
    } else if (isObject(value)) {
      for (const [inner, innerValue] of Object.entries(value)) yield [`${name}.${inner}`, innerValue];
    } else {
      throw new UsageError(`${printable(file.path)}: expected ${quote(name)} to be an object, found ${quote(value)}`);
    }
  }
}

function ownKey(name: string, file: ConfigFile): ConfigKey {
  const key = CONFIG_KEYS.find((known) => known === name);
  const where = `${printable(file.path)}: `;
  if (key === undefined) {
    const nearest = nearestWord(name, CONFIG_KEYS);
    const hint = nearest === null ? `expected one of ${CONFIG_KEYS.join(', ')}` : `did you mean ${quote(nearest)}?`;
    throw new UsageError(`${where}unknown key ${quote(name)}; ${hint}`);
  }
  if (KEYS[key].file === file.which) return key;
  const right = file.which === 'project' ? "the user's config.json" : "the project's woods.json";
  throw new UsageError(`${where}${quote(key)} belongs in ${right}; move it there`);
}
