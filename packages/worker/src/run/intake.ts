/** From what a back end tells to what a cycle takes. Pure. */
import { type Batch, decodePath } from '@woods/watch';
import { classify, classifyDirectory, type Learned } from '../policy/classify.ts';
import type { Changes } from '../policy/sort.ts';

/** Without what nobody asks for, so that a build in an ignored corner neither delays a save nor counts as activity. */
export function relevant(batch: Batch, learned: Learned): Batch {
  return {
    ...batch,
    paths: keep(batch.paths, (path) => classify(path, learned) !== 'ignore'),
    dirs: keep(batch.dirs, (path) => classifyDirectory(path, learned) !== 'ignore'),
  };
}

/** Names that are not UTF-8 are left out: they cannot be indexed, and the index counts them among what it skipped. */
export function changesOf(batch: Batch): Changes {
  return { files: decoded(batch.paths), directories: decoded(batch.dirs), overflow: batch.overflow };
}

/** The root is not there now: nothing can be compared, and what is published stays. */
export function rootIsGone(batch: Batch): boolean {
  return batch.reason === 'root-gone' && !batch.overflow;
}

function keep(paths: ReadonlySet<string>, wanted: (path: string) => boolean): Set<string> {
  const kept = new Set<string>();
  for (const path of paths) {
    const text = decodePath(path);
    if (text !== null && wanted(text)) kept.add(path);
  }
  return kept;
}

function decoded(paths: ReadonlySet<string>): string[] {
  return [...paths].flatMap((path) => decodePath(path) ?? []);
}
