import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isObject } from '@woods/protocol';

/** A pattern of `paths`: `prefix*suffix`, or exactly `prefix` when `suffix` is null. Targets are absolute. */
interface PathPattern {
  readonly prefix: string;
  readonly suffix: string | null;
  readonly targets: readonly string[];
}

/** What of a tsconfig bears on where a specifier leads. */
export interface TsconfigPaths {
  readonly patterns: readonly PathPattern[];
  /** Absolute; bare specifiers are looked for there first. */
  readonly baseUrl: string | null;
}

/** Reads JSON with comments; `undefined` when it cannot be read as such. */
type ReadJson = (path: string) => unknown;

/** Where a package named by `extends` keeps its file; null when it is not installed. */
type FindPackageFile = (directory: string, specifier: string) => string | null;

interface Reading {
  readonly readJson: ReadJson;
  readonly findPackageFile: FindPackageFile;
  /** Guards against files that extend each other. */
  readonly seen: Set<string>;
  /** What `${configDir}` stands for: the directory of the file that was asked for. */
  readonly configDirectory: string;
}

interface Options {
  readonly paths?: { readonly at: string; readonly entries: readonly (readonly [string, readonly string[]])[] };
  readonly baseUrl?: string;
}

/**
 * `paths` and `baseUrl` that hold below a tsconfig, its `extends` followed; what it extends and cannot be found is left
 * out, so that a tree without `node_modules` still resolves. A file that only lists `references` stands for those.
 */
export function readTsconfigPaths(
  file: string,
  { readJson, findPackageFile }: Pick<Reading, 'readJson' | 'findPackageFile'>,
): TsconfigPaths {
  const readFrom = (path: string) =>
    toPaths(
      readOptions(path, { readJson, findPackageFile, seen: new Set(), configDirectory: dirname(path) }),
      dirname(path),
    );
  const own = readFrom(file);
  if (own.patterns.length > 0 || own.baseUrl !== null) return own;
  const referenced = referencesOf(file, readJson).map(readFrom);
  return {
    patterns: referenced.flatMap(({ patterns }) => patterns),
    baseUrl: referenced.find(({ baseUrl }) => baseUrl !== null)?.baseUrl ?? null,
  };
}

function readOptions(file: string, reading: Reading): Options {
  if (reading.seen.has(file)) return {};
  reading.seen.add(file);
  const config = reading.readJson(file);
  if (!isObject(config)) return {};
  const directory = dirname(file);
  const own = isObject(config.compilerOptions) ? config.compilerOptions : {};
  let options: Options = {};
  for (const base of [config.extends].flat()) {
    const path = typeof base === 'string' ? extendedFile(directory, base, reading) : null;
    if (path !== null) options = { ...options, ...readOptions(path, reading) };
  }
  return {
    ...options,
    ...(typeof own.baseUrl === 'string' && { baseUrl: absolute(directory, own.baseUrl, reading) }),
    ...(isObject(own.paths) && { paths: { at: directory, entries: pathEntries(own.paths) } }),
  };
}

function extendedFile(directory: string, base: string, reading: Reading): string | null {
  if (!base.startsWith('.') && !isAbsolute(base)) return reading.findPackageFile(directory, base);
  const path = resolve(directory, base);
  return [path, `${path}.json`, join(path, 'tsconfig.json')].find((candidate) => reading.readJson(candidate)) ?? null;
}

function pathEntries(paths: { readonly [key: string]: unknown }): (readonly [string, readonly string[]])[] {
  return Object.entries(paths).map(([pattern, targets]) => [
    pattern,
    Array.isArray(targets) ? targets.filter((target) => typeof target === 'string') : [],
  ]);
}

function toPaths(options: Options, configDirectory: string): TsconfigPaths {
  const at = options.baseUrl ?? options.paths?.at ?? configDirectory;
  const patterns = (options.paths?.entries ?? []).map(([pattern, targets]): PathPattern => {
    const star = pattern.indexOf('*');
    return {
      prefix: star < 0 ? pattern : pattern.slice(0, star),
      suffix: star < 0 ? null : pattern.slice(star + 1),
      targets: targets.map((target) => absolute(at, target, { configDirectory })),
    };
  });
  return { patterns, baseUrl: options.baseUrl ?? null };
}

function absolute(directory: string, path: string, { configDirectory }: Pick<Reading, 'configDirectory'>): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is TypeScript's own placeholder
  return resolve(directory, path.replace('${configDir}', configDirectory));
}

function referencesOf(file: string, readJson: ReadJson): string[] {
  const config = readJson(file);
  const references = isObject(config) && Array.isArray(config.references) ? config.references : [];
  return references.flatMap((reference: unknown) => {
    if (!isObject(reference) || typeof reference.path !== 'string') return [];
    const path = resolve(dirname(file), reference.path);
    return [path.endsWith('.json') ? path : join(path, 'tsconfig.json')];
  });
}

/** The nearest `tsconfig.json` or `jsconfig.json` at or above a directory, not above the root; null when there is none. */
export function nearestTsconfig(directory: string, root: string): string | null {
  for (let at = directory; at === root || at.startsWith(`${root}/`); at = dirname(at)) {
    const found = ['tsconfig.json', 'jsconfig.json'].map((name) => join(at, name)).find((path) => existsSync(path));
    if (found !== undefined) return found;
  }
  return null;
}

/** The file's text; undefined when it cannot be read. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
