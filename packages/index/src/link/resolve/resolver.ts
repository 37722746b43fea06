import { posix } from 'node:path';
import { parseObjectWithComments } from '@woods/protocol';
import type { PackageFacts } from '../../record/file-record.ts';
import { type HasFile, probePath } from './probe.ts';
import { ANY_STEM, stemOf } from './stems.ts';
import { nearestTsconfig, readText, readTsconfigPaths, type TsconfigPaths } from './tsconfig.ts';
import { openWorkspace, splitSpecifier, type Workspace } from './workspace.ts';

/** Where specifiers lead. Directories and paths are root-relative. */
export interface ModuleResolver {
  readonly workspace: Workspace;
  /** The path of a file of the index; null when it leads out of the tree, to a file that is not indexed, or nowhere. */
  resolve(directory: string, specifier: string): string | null;
  /** Stems of the paths that may satisfy the specifier there. */
  stemsFor(directory: string, specifier: string): ReadonlySet<string>;
  /** The disk has changed: forget what was seen of it. */
  forget(): void;
  /** Whether a file of the tree was read, or missed, as a tsconfig or as what one extends. */
  hasRead(path: string): boolean;
}

export interface ResolverOptions {
  /** Absolute and real. */
  readonly root: string;
  readonly hasFile: HasFile;
  /** All `package.json` files of the tree. */
  readonly packages: Iterable<readonly [path: string, facts: PackageFacts]>;
}

const OPTIONS = {
  extensions: ['.ts', '.tsx', '.mts', '.cts', '.d.ts', '.js', '.jsx', '.mjs', '.cjs', '.json'],
  extensionAlias: {
    '.js': ['.ts', '.tsx', '.d.ts', '.js', '.jsx'],
    '.jsx': ['.tsx', '.jsx'],
    '.mjs': ['.mts', '.d.mts', '.mjs'],
    '.cjs': ['.cts', '.d.cts', '.cjs'],
  },
  conditionNames: ['types', 'import', 'require', 'node', 'default'],
  mainFields: ['types', 'typings', 'module', 'main'],
  nodePath: false,
};

const URL_LIKE = /^(?:[a-z][a-z+.-]*:|\/)/i;
const RELATIVE = /^\.\.?(?:\/|$)/;

/**
 * Paths within the tree are found in the index alone; oxc-resolver is asked for packages, whose `exports`, `imports` and
 * links only the disk knows. The resolver reads tsconfig files once: they, like every `package.json`, are boot-captured, and whoever sees one
 * change opens a new resolver. oxc-resolver's own reading of tsconfig fails every specifier when `extends` names a
 * package that is not installed, as in a fresh work tree, so `paths` are read and applied here.
 */
export async function openResolver({ root, hasFile, packages }: ResolverOptions): Promise<ModuleResolver> {
  // Readers of the index load this package too, and need no resolver.
  const { ResolverFactory } = await import('oxc-resolver');
  const disk = new ResolverFactory(OPTIONS);
  const workspace = openWorkspace(packages, hasFile);
  const byDirectory = new Map<string, TsconfigPaths | null>();
  const byFile = new Map<string, TsconfigPaths>();

  const onDisk = (directory: string, specifier: string) => disk.sync(directory, specifier).path ?? null;
  const read = new Set<string>();
  const readJson = (path: string) => {
    read.add(path);
    const text = readText(path);
    return text === undefined ? undefined : parseObjectWithComments(text);
  };
  const findPackageFile = (directory: string, specifier: string) =>
    [specifier, `${specifier}.json`, `${specifier}/tsconfig.json`]
      .map((candidate) => onDisk(directory, candidate))
      .find((path) => path !== null) ?? null;

  function pathsFor(directory: string): TsconfigPaths | null {
    const known = byDirectory.get(directory);
    if (known !== undefined) return known;
    const file = nearestTsconfig(absolute(directory), root);
    const paths = file === null ? null : (byFile.get(file) ?? readTsconfigPaths(file, { readJson, findPackageFile }));
    if (file !== null && paths !== null) byFile.set(file, paths);
    byDirectory.set(directory, paths);
    return paths;
  }

  const absolute = (directory: string) => (directory === '' ? root : `${root}/${directory}`);
  const inTree = (path: string) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null);
  const probe = (path: string | null) => (path === null ? null : probePath(path, hasFile, workspace.mainsOf));
  const indexed = (path: string | null) => {
    const relative = path === null ? null : inTree(path);
    return relative !== null && hasFile(relative) ? relative : null;
  };

  function resolveBare(directory: string, specifier: string): string | null {
    const paths = pathsFor(directory);
    for (const candidate of paths === null ? [] : substitutes(paths, specifier)) {
      const found = probe(inTree(candidate));
      if (found !== null) return found;
    }
    const path = onDisk(absolute(directory), specifier);
    const found = indexed(path);
    if (found !== null) return found;
    // What is installed is not ours, even when a package of the tree has the same name.
    const relative = path === null ? null : inTree(path);
    const isInstalled = relative !== null && `/${relative}`.includes('/node_modules/');
    return isInstalled ? null : workspace.resolve(specifier);
  }

  return {
    workspace,
    resolve(directory, specifier) {
      const wanted = withoutQuery(specifier);
      if (wanted === '' || URL_LIKE.test(wanted)) return null;
      if (!RELATIVE.test(wanted)) return resolveBare(directory, wanted);
      const path = posix.join(directory, wanted);
      return path.startsWith('..') ? null : probe(path);
    },
    stemsFor(directory, specifier) {
      const wanted = withoutQuery(specifier);
      if (RELATIVE.test(wanted)) return new Set([stemOf(posix.join(directory, wanted).replace(/\/$/, ''))]);
      const paths = pathsFor(directory);
      const { name } = splitSpecifier(wanted);
      const home = workspace.packageNamed(name)?.directory;
      return new Set([
        stemOf(wanted),
        stemOf(name),
        ...(paths === null ? [] : substitutes(paths, wanted).map(stemOf)),
        ...(home === undefined ? [] : [home === '' ? ANY_STEM : stemOf(home)]),
        ...(wanted.startsWith('#') ? [ANY_STEM] : []),
      ]);
    },
    forget: () => disk.clearCache(),
    hasRead: (path) => read.has(`${root}/${path}`),
  };
}

/** Absolute paths that the specifier may mean by `paths` and `baseUrl`, the longest matching pattern first and alone. */
function substitutes({ patterns, baseUrl }: TsconfigPaths, specifier: string): string[] {
  let best: { readonly length: number; readonly paths: readonly string[] } = { length: -1, paths: [] };
  for (const { prefix, suffix, targets } of patterns) {
    const exact = suffix === null;
    const matches = exact
      ? specifier === prefix
      : specifier.length >= prefix.length + suffix.length && specifier.startsWith(prefix) && specifier.endsWith(suffix);
    const length = exact ? Number.POSITIVE_INFINITY : prefix.length;
    if (!matches || length <= best.length) continue;
    const middle = exact ? '' : specifier.slice(prefix.length, specifier.length - suffix.length);
    best = { length, paths: targets.map((target) => target.replace('*', () => middle)) };
  }
  return baseUrl === null ? [...best.paths] : [...best.paths, posix.join(baseUrl, specifier)];
}

/** Bundlers hang questions on specifiers: `./worker.ts?worker`. */
function withoutQuery(specifier: string): string {
  const query = specifier.indexOf('?');
  return query <= 0 ? specifier : specifier.slice(0, query);
}
