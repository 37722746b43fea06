import { posix } from 'node:path';

export type HasFile = (path: string) => boolean;

/** Root-relative targets that the `package.json` of a directory names for the directory itself. */
export type MainsOf = (directory: string) => readonly string[];

/** In this order, as TypeScript prefers sources to what is made of them. */
const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.d.ts', '.js', '.jsx', '.mjs', '.cjs', '.d.mts', '.d.cts', '.json'];

/** What a specifier with the extension of a built file may stand for. */
const SOURCES_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ['.js', ['.ts', '.tsx', '.d.ts', '.js', '.jsx']],
  ['.jsx', ['.tsx', '.jsx']],
  ['.mjs', ['.mts', '.d.mts', '.mjs']],
  ['.cjs', ['.cts', '.d.cts', '.cjs']],
]);

/**
 * The file of the index that a path without certain extension means: the file itself, with an extension, or what the
 * directory of that name offers. Only the index is asked and not the disk, so that the answer is a function of the index.
 */
export function probePath(path: string, has: HasFile, mainsOf: MainsOf): string | null {
  const isDirectory = path === '' || path === '.' || path.endsWith('/');
  const plain = isDirectory ? path.replace(/\/$/, '') : path;
  const file = isDirectory ? null : probeFile(plain, has);
  return file ?? probeDirectory(plain === '.' ? '' : plain, has, mainsOf);
}

/** The file under that path, with the extension that it has in the sources. */
export function probeFile(path: string, has: HasFile): string | null {
  const extension = posix.extname(path);
  const stem = path.slice(0, path.length - extension.length);
  for (const source of SOURCES_OF.get(extension) ?? []) if (has(stem + source)) return stem + source;
  if (has(path)) return path;
  const found = EXTENSIONS.find((candidate) => has(path + candidate));
  return found === undefined ? null : path + found;
}

function probeDirectory(directory: string, has: HasFile, mainsOf: MainsOf): string | null {
  for (const main of mainsOf(directory)) {
    const found = probeFile(main, has) ?? probeFile(posix.join(main, 'index'), has);
    if (found !== null) return found;
  }
  return probeFile(posix.join(directory, 'index'), has);
}
