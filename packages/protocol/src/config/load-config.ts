import { relative, resolve, sep } from 'node:path';
import { UsageError } from '../names/usage-error.ts';
import { type Environment, readVariable } from '../names/variables.ts';
import { printable, quote } from '../values/quote.ts';
import { type ConfigFile, projectFile, type RawValues, readConfigFile, userFile } from './config-file.ts';
import { CONFIG_KEYS, type ConfigKey, type ConfigValues, KEYS, type Key } from './keys.ts';
import { type ResolvedConfig, type Source, shapeConfig } from './resolved-config.ts';

/** What command-line flags set, in the units of the resolved configuration. */
export interface ConfigFlags {
  readonly output?: string;
  readonly watch?: {
    readonly debounceMs?: number;
    readonly intervalMs?: number;
    readonly idleTimeoutMs?: number;
    readonly fullThreshold?: number;
  };
}

export interface ConfigOptions {
  /** As `findRoot` gives it. */
  readonly root: string;
  readonly env: Environment;
  readonly flags?: ConfigFlags;
}

/**
 * The effective configuration: flag, then variable, then the project's file, then the user's file, then the default.
 * Throws UsageError that names file, variable or flag, key, what was expected and what was found.
 */
export function loadConfig(options: ConfigOptions): ResolvedConfig {
  const { root, env } = options;
  const flags = flagValues(options.flags ?? {});
  const files = [projectFile(root), userFile(env)].map((file) => ({ file, values: readConfigFile(file) }));
  const values: Partial<Record<ConfigKey, unknown>> = {};
  const sources: Partial<Record<ConfigKey, Source>> = {};
  for (const name of CONFIG_KEYS) {
    const found = findValue(name, { env, flags, files });
    values[name] = found.value;
    sources[name] = found.source;
  }
  // The loop set every key, each to a value of its own kind; a mapped type cannot be built step by step.
  const config = shapeConfig(root, values as ConfigValues, sources as Record<ConfigKey, Source>);
  refuseOutputAroundRoot(root, config);
  return config;
}

interface Places {
  readonly env: Environment;
  readonly flags: FlagValues;
  readonly files: readonly { readonly file: ConfigFile; readonly values: RawValues }[];
}

type FlagValues = Partial<Record<ConfigKey, unknown>>;

/** Flags by key, with values as a file would have them. */
function flagValues({ output, watch = {} }: ConfigFlags): FlagValues {
  return {
    output,
    'watch.debounce': inMilliseconds(watch.debounceMs),
    'watch.interval': inMilliseconds(watch.intervalMs),
    'watch.idleTimeout': inMilliseconds(watch.idleTimeoutMs),
    'watch.fullThreshold': watch.fullThreshold,
  };
}

/** As text with its unit: a number would be seconds, and lose digits on the way there and back. */
function inMilliseconds(value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${value}ms`;
}

function findValue(name: ConfigKey, places: Places): { value: unknown; source: Source } {
  const key: Key<unknown> = KEYS[name];
  const flag = places.flags[name];
  if (flag !== undefined) return { value: readValue(key, key.flag ?? name, flag), source: 'flag' };
  const variable = key.variable === undefined ? null : readVariable(places.env, key.variable);
  if (variable !== null) return { value: fromText(key, key.variable ?? name, variable), source: 'variable' };
  for (const { file, values } of places.files) {
    if (!values.has(name)) continue;
    const where = `${printable(file.path)}: ${quote(name)}`;
    return { value: readValue(key, where, values.get(name)), source: file.which };
  }
  return { value: key.fallback, source: 'default' };
}

function fromText(key: Key<unknown>, where: string, text: string): unknown {
  const value = key.fromText === undefined ? text : key.fromText(text);
  return readValue(key, where, value);
}

function readValue(key: Key<unknown>, where: string, found: unknown): unknown {
  const read = key.kind.read(found);
  if (read !== null) return read.value;
  throw new UsageError(`${where}: expected ${key.kind.expected}, found ${quote(found)}`);
}

/** The index directory ignores itself with a `.gitignore` of `*`: around the tree it would hide the tree. */
function refuseOutputAroundRoot(root: string, config: ResolvedConfig): void {
  const path = relative(resolve(config.output), root);
  if (path === '..' || path.startsWith(`..${sep}`) || resolve(config.output, path) !== root) return;
  throw new UsageError(
    `expected the index directory to be below the root or beside it, found ${quote(config.output)} ` +
      `(from ${config.sources.output}), which holds the root; the default is ${KEYS.output.fallback}`,
  );
}
