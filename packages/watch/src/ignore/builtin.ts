/**
 * Directories that hold what tools make: dependencies, build output, caches, logs. They are ignored at any depth while git tracks
 * nothing in them, with or without a .gitignore; `!name/` in a .woodsignore takes one back.
 */
const NAMES = new Set([
  'node_modules',
  'tmp',
  'log',
  'coverage',
  'dist',
  'build',
  '.next',
  'storage',
  '.venv',
  'target',
]);

const PAIRS = new Set(['vendor/bundle', 'public/assets', 'public/packs']);

/** Whether the last one or two names of a directory's path are on the built-in list. */
export function isBuiltIn(path: string): boolean {
  const last = path.lastIndexOf('/');
  if (NAMES.has(path.slice(last + 1))) return true;
  return last > 0 && PAIRS.has(path.slice(path.lastIndexOf('/', last - 1) + 1));
}
