import type { SearchOptions } from './search-words.ts';

/** Whether a unit of this type, in this file or with this identifier, was asked for. */
export function scopeOf({
  types,
  paths,
}: Pick<SearchOptions, 'types' | 'paths'>): (type: string, path: string) => boolean {
  const roots = paths?.map((path) => path.replace(/^\.\/|\/+$/g, ''));
  return (type, path) =>
    (types === undefined || types.includes(type)) && (roots === undefined || roots.some((root) => isBelow(path, root)));
}

function isBelow(path: string, root: string): boolean {
  if (root === '' || root === '.' || path === root) return true;
  return path.startsWith(root) && (path[root.length] === '/' || path[root.length] === '#');
}
