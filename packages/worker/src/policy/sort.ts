/** A batch taken apart by class. Pure. */
import { classify, classifyDirectory, type Learned } from './classify.ts';

export interface Changes {
  /** Root-relative paths of files, existing or gone. */
  readonly files: Iterable<string>;
  /** Root-relative directories whose whole content may have changed. */
  readonly directories: Iterable<string>;
  /** Events were lost: the batch does not say everything. */
  readonly overflow: boolean;
}

export interface Sorted {
  /** Restart-class by name; whether they really changed is for the boot snapshot to say. */
  readonly restart: ReadonlySet<string>;
  /** To be recorded again: reload, reextract and directories. */
  readonly work: ReadonlySet<string>;
  /** Directories among `work`. */
  readonly directories: ReadonlySet<string>;
  readonly rescan: boolean;
  readonly overflow: boolean;
}

export const NO_CHANGES: Changes = { files: [], directories: [], overflow: false };

export function sortChanges(changes: Changes, learned: Learned): Sorted {
  const restart = new Set<string>();
  const work = new Set<string>();
  const directories = new Set<string>();
  let rescan = false;
  for (const path of changes.files) {
    const kind = classify(path, learned);
    if (kind === 'restart') restart.add(path);
    else if (kind === 'rescan') rescan = true;
    else if (kind !== 'ignore') work.add(path);
  }
  for (const path of changes.directories) {
    if (classifyDirectory(path, learned) === 'ignore') continue;
    directories.add(path);
    work.add(path);
  }
  return { restart, work, directories, rescan, overflow: changes.overflow };
}
