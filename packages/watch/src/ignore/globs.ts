import picomatch from 'picomatch';
import { decodePath } from '../bytes/path.ts';

/** The configuration's `include` and `exclude`, which narrow what git's rules leave. */
export interface Globs {
  /** False when no file below the directory can be meant. */
  descends(directory: string): boolean;
  keeps(file: string): boolean;
}

/**
 * Globs on root-relative paths. A glob that names a directory means all below it. `exclude` wins over `include`; no `include`
 * means all. Names that are not UTF-8 are compared as latin1 text.
 */
export function openGlobs({ include, exclude }: { include: readonly string[]; exclude: readonly string[] }): Globs {
  const options = { dot: true };
  const compile = (glob: string): ((path: string) => boolean) => picomatch(glob.replace(/\/+$/, ''), options);
  const included = include.map(compile);
  const excluded = exclude.map(compile);
  const bases = include.map(baseOf);
  const text = (path: string): string => decodePath(path) ?? path;
  return {
    descends(directory) {
      if (include.length === 0 && exclude.length === 0) return true;
      const path = text(directory);
      if (excluded.some((matches) => matches(path))) return false;
      return include.length === 0 || bases.some((base) => onOneLine(base, path));
    },
    keeps(file) {
      if (include.length === 0 && exclude.length === 0) return true;
      const path = text(file);
      if (excluded.some((matches) => matches(path))) return false;
      return include.length === 0 || withAncestors(path).some((name) => included.some((matches) => matches(name)));
    },
  };
}

/** The directory below which all matches lie. */
function baseOf(glob: string): string {
  const { base, negated } = picomatch.scan(glob.replace(/\/+$/, ''));
  return negated ? '' : base;
}

/** Whether one of two directories lies in the other, by whole names. */
function onOneLine(a: string, b: string): boolean {
  return a === '' || `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

function withAncestors(path: string): string[] {
  const names = [path];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) names.push(path.slice(0, at));
  return names;
}
