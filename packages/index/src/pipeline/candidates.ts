import { lstatSync } from 'node:fs';
import { join, posix } from 'node:path';
import { UsageError } from '@woods/protocol';
import type { IgnoreRules } from '@woods/watch';
import { type Known, type Survey, surveyPaths, surveyTree, type Tree } from '../discover/survey.ts';
import type { State } from './state.ts';

/** Files that say what belongs to the tree. */
const RULES = /(?:^|\/)(?:\.gitignore|\.woodsignore|\.git\/info\/exclude)$/;

/** Reads the ignore rules again when they may have changed. `paths` is null for a run over the whole tree. */
export function refreshRules(ignore: IgnoreRules, paths: readonly string[] | null): 'changed' | 'same' {
  if (paths?.some((path) => RULES.test(path))) {
    ignore.reload();
    return 'changed';
  }
  return ignore.refresh() ? 'changed' : 'same';
}

/** What a run has to look at. With new rules, a directory, or nothing to compare with, only a scan tells. */
export function surveyFor(
  tree: Tree,
  state: State,
  paths: readonly string[] | null,
  rules: 'changed' | 'same',
): Survey {
  const known = knownOf(state);
  if (state.published === null) return surveyTree(tree, known, 'all');
  const isDirectory = (path: string) =>
    lstatSync(join(tree.root, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (paths === null || rules === 'changed' || paths.some(isDirectory)) return surveyTree(tree, known, 'differences');
  return surveyPaths(tree, known, paths);
}

/** A held file is known by what is on disk, so that it is not parsed again until that changes. */
function knownOf({ inputs, held }: State): Known {
  if (held.size === 0) return inputs;
  const known = new Map(inputs);
  for (const [path, { seen }] of held) if (seen !== null) known.set(path, seen);
  return known;
}

/** A path as the index has it; empty for the root. Throws UsageError for one that leads out of the root. */
export function relativePath(path: string): string {
  const plain = posix.normalize(path).replace(/\/$/, '');
  if (posix.isAbsolute(plain) || plain === '..' || plain.startsWith('../')) {
    throw new UsageError(`expected a path below the root, found ${JSON.stringify(path)}`);
  }
  return plain === '.' ? '' : plain;
}
