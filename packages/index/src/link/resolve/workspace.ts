import { posix } from 'node:path';
import type { PackageFacts } from '../../record/file-record.ts';
import { type HasFile, probeFile } from './probe.ts';

/** A package of the tree. `directory` is root-relative; empty for the root. */
interface WorkspacePackage {
  readonly directory: string;
  readonly facts: PackageFacts;
}

/** The packages of the tree by name. */
export interface Workspace {
  /** Null when there is no such package, or more than one: then which one is meant is not known. */
  packageNamed(name: string): WorkspacePackage | null;
  /** What the `package.json` of a directory names for the directory itself, root-relative. */
  mainsOf(directory: string): readonly string[];
  /** The path of the source file that a specifier means, for packages that are not linked into node_modules or not built. */
  resolve(specifier: string): string | null;
}

/** Directories of built files, with sources in `src` beside them. */
const OUTPUT: ReadonlySet<string> = new Set(['dist', 'build', 'lib', 'out', 'output', 'es', 'esm', 'cjs']);

/** Built files and their declarations: which extension the source has is for the probe to find. */
const BUILT = /(?:\.d)?\.[cm]?[jt]sx?$/;

/** `packages` are all `package.json` files of the tree; those inside `node_modules` are somebody else's. */
export function openWorkspace(
  packages: Iterable<readonly [path: string, facts: PackageFacts]>,
  has: HasFile,
): Workspace {
  const byName = new Map<string, WorkspacePackage | null>();
  const mains = new Map<string, readonly string[]>();
  for (const [path, facts] of packages) {
    const directory = posix.dirname(path) === '.' ? '' : posix.dirname(path);
    const targets = facts.entries.filter(([subpath]) => subpath === '.').map(([, target]) => target);
    if (targets.length > 0)
      mains.set(
        directory,
        targets.map((target) => posix.join(directory, target)),
      );
    if (facts.name === null || `/${path}`.includes('/node_modules/')) continue;
    byName.set(facts.name, byName.has(facts.name) ? null : { directory, facts });
  }
  const packageNamed = (name: string) => byName.get(name) ?? null;
  return {
    packageNamed,
    mainsOf: (directory) => mains.get(directory) ?? [],
    resolve(specifier) {
      const { name, subpath } = splitSpecifier(specifier);
      const found = packageNamed(name);
      return found === null ? null : findSource(found, subpath, has);
    },
  };
}

/** `@a/b/c` is the subpath `./c` of the package `@a/b`. */
export function splitSpecifier(specifier: string): { name: string; subpath: string } {
  const segments = specifier.split('/');
  const length = specifier.startsWith('@') ? 2 : 1;
  const rest = segments.slice(length).join('/');
  return { name: segments.slice(0, length).join('/'), subpath: rest === '' ? '.' : `./${rest}` };
}

function findSource({ directory, facts }: WorkspacePackage, subpath: string, has: HasFile): string | null {
  for (const target of targetsFor(facts.entries, subpath)) {
    const found = probe([posix.join(directory, target), ...sourceTwins(directory, target)], has);
    if (found !== null) return found;
  }
  if (subpath === '.') return probe([posix.join(directory, 'src/index'), posix.join(directory, 'index')], has);
  const hasExports = facts.entries.some(([offered]) => offered !== '.');
  return hasExports ? null : probe([posix.join(directory, subpath), posix.join(directory, 'src', subpath)], has);
}

/** Targets of an exact subpath, else of the pattern with the longest part before its `*`. */
function targetsFor(entries: PackageFacts['entries'], subpath: string): string[] {
  const exact = entries.filter(([offered]) => offered === subpath).map(([, target]) => target);
  if (exact.length > 0) return exact;
  const patterns = entries
    .map(([offered, target]) => ({ parts: offered.split('*'), target }))
    .filter(
      ({ parts: [before = '', after] }) => after !== undefined && subpath.startsWith(before) && subpath.endsWith(after),
    )
    .sort((one, other) => (other.parts[0] ?? '').length - (one.parts[0] ?? '').length);
  return patterns.map(({ parts: [before = '', after = ''], target }) =>
    target.replaceAll('*', subpath.slice(before.length, subpath.length - after.length)),
  );
}

/** Where the source of a built file is by convention: `dist/node/index.js` comes from `src/node/index.ts`. */
function sourceTwins(directory: string, target: string): string[] {
  const segments = posix.normalize(target).split('/');
  const first = segments.findIndex((segment) => OUTPUT.has(segment));
  if (first < 0) return [];
  let next = first;
  while (OUTPUT.has(segments[next] ?? '')) next++;
  const before = segments.slice(0, first);
  return [['src'], []].flatMap((source) => [
    posix.join(directory, ...before, ...source, ...segments.slice(first + 1)),
    posix.join(directory, ...before, ...source, ...segments.slice(next)),
  ]);
}

function probe(candidates: readonly string[], has: HasFile): string | null {
  for (const candidate of candidates) {
    const stem = candidate.replace(BUILT, '');
    const found =
      (has(candidate) ? candidate : null) ?? probeFile(stem, has) ?? probeFile(posix.join(stem, 'index'), has);
    if (found !== null) return found;
  }
  return null;
}
