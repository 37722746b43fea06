import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from './directory.ts';

/** A directory with these files; a path that ends in `/` is an empty directory. */
export function treeOf(files: Readonly<Record<string, string>>): string {
  const root = temporaryDirectory();
  for (const [path, text] of Object.entries(files)) {
    const absolute = join(root, path);
    mkdirSync(path.endsWith('/') ? absolute : dirname(absolute), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(absolute, text);
  }
  return root;
}
