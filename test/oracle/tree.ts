import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A tree on disk together with what is in it, as the test knows it. Paths are root-relative. */
export interface Tree {
  readonly root: string;
  readonly texts: Map<string, string>;
  write(path: string, text: string): void;
  remove(path: string): void;
  move(from: string, to: string): void;
}

export function openTree(root: string): Tree {
  const texts = new Map<string, string>();
  const place = (path: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    return join(root, path);
  };
  return {
    root,
    texts,
    write(path, text) {
      writeFileSync(place(path), text);
      texts.set(path, text);
    },
    remove(path) {
      rmSync(join(root, path));
      texts.delete(path);
    },
    move(from, to) {
      renameSync(join(root, from), place(to));
      texts.set(to, texts.get(from) ?? '');
      texts.delete(from);
    },
  };
}

/** A copy of the tree in which some files have other contents. */
export function copyWith(tree: Tree, root: string, contents: ReadonlyMap<string, string>): void {
  rmSync(root, { recursive: true, force: true });
  cpSync(tree.root, root, { recursive: true });
  for (const [path, text] of contents) writeFileSync(join(root, path), text);
}
