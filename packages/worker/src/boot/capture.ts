/**
 * What a process captures of its tree when it boots: the restart-class files as they are now, taken before anything is
 * loaded from them, and the names that only this tree can tell. It walks the whole tree, so it runs in the index thread.
 */
import { isAbsolute, join, relative } from 'node:path';
import { decodePath, findRepository, openIgnore, scanTree, type TreeOptions } from '@woods/watch';
import { classify } from '../policy/classify.ts';
import { basename } from '../policy/path.ts';
import { digestsOf } from './digest.ts';
import { extendedConfigs } from './extended.ts';
import { hiddenByName } from './hidden.ts';

export interface BootCapture {
  /** Root-relative path and digest of each restart-class file. */
  readonly digests: readonly (readonly [path: string, digest: string])[];
  /** Root-relative targets of `extends`. */
  readonly extended: readonly string[];
  /**
   * Root-relative restart-class paths that the ignore rules hide, existing or not: to be watched one by one. What lies in
   * `node_modules` is not among them, since an installation says that it changed them.
   */
  readonly hidden: readonly string[];
  /** Absolute path of git's own directory for this tree; null without a repository. */
  readonly gitDir: string | null;
}

/** @throws what the scan throws: RootUnreadable */
export async function captureBoot(options: TreeOptions): Promise<BootCapture> {
  const { root } = options;
  const scan = scanTree({ root, ignore: openIgnore(options) });
  const visible = new Set(scan.files.flatMap((file) => decodePath(file.path) ?? []));
  const configs = [...visible].filter((path) => /^[tj]sconfig.*\.json$/.test(basename(path)));
  const extended = [...extendedConfigs(configs.map((path) => join(root, path)))].flatMap((target) => {
    const path = relative(root, target);
    return path === '' || path.startsWith('..') || isAbsolute(path) ? [] : [path];
  });
  const learned = { extended: new Set(extended), indexDir: null };
  const hidden = [
    ...hiddenByName(root),
    ...extended.filter((path) => !path.split('/').includes('node_modules')),
  ].filter((path) => !visible.has(path));
  const captured = [...visible].filter((path) => classify(path, learned) === 'restart');
  const digests = await digestsOf(root, [...captured, ...hidden]);
  return { digests, extended, hidden, gitDir: gitDirOf(root) };
}

function gitDirOf(root: string): string | null {
  const found = findRepository(root);
  return found.kind === 'repository' ? decodePath(found.repository.gitDir) : null;
}
