/** From what the kernel tells to where to look. An event says that something happened there, never what is there now. */
import { IN, type InotifyEvent } from '@woods/posix';
import { joinPath } from '../../bytes/path.ts';
import { GIT_RULES, WOODS_RULES } from '../../ignore/rule-file.ts';
import type { IgnoreRules } from '../../ignore/rules.ts';
import type { WatchSet } from './watch-set.ts';

/** Root-relative byte paths. */
export interface Hints {
  readonly paths: Set<string>;
  /** Directories that went away, with whatever was in them. */
  readonly dirs: Set<string>;
  /** Directories that came, in the order in which they did: not watched yet. */
  readonly arrived: Set<string>;
  /** The kernel dropped events. */
  overflow: boolean;
  /** A file system was taken away under a watched directory. */
  unmounted: boolean;
  /** What belongs to the tree may have changed: a rule file, the root. */
  rules: boolean;
  /** A repository is being made or taken away: what comes of it shows a moment later. */
  repository: boolean;
}

export function noHints(): Hints {
  const nothing = { overflow: false, unmounted: false, rules: false, repository: false };
  return { paths: new Set(), dirs: new Set(), arrived: new Set(), ...nothing };
}

interface Known {
  readonly watches: Pick<WatchSet, 'pathOf' | 'has' | 'forget' | 'drop'>;
  readonly ignore: Pick<IgnoreRules, 'ignores' | 'forget'>;
  /** Ignored files that are told all the same. */
  readonly extra: ReadonlySet<string>;
}

const LEFT = IN.movedFrom | IN.delete;
const OF_ITSELF = IN.deleteSelf | IN.moveSelf | IN.unmount | IN.attrib;

/** Adds what one event says. Takes the watches of directories that left away, since they would tell under the wrong path. */
export function takeEvent(event: InotifyEvent, hints: Hints, { watches, ignore, extra }: Known): void {
  const { watch, mask, name } = event;
  if (mask & IN.overflow) {
    hints.overflow = true;
    return;
  }
  const directory = watches.pathOf(watch);
  if (directory === undefined) return;
  if (mask & IN.ignored) {
    watches.forget(watch);
    return;
  }
  if (name === '') {
    if (mask & IN.unmount) hints.unmounted = true;
    if (directory === '' && mask & OF_ITSELF) hints.rules = true;
    return;
  }
  const path = joinPath(directory, name);
  if (name === '.git') {
    hints.repository = true;
    return;
  }
  if (mask & IN.isDirectory) takeDirectory(path, mask);
  else takeFile(path);

  function takeDirectory(at: string, bits: number): void {
    if (ignore.ignores(at, 'dir')) return;
    if (bits & LEFT) {
      watches.drop(at);
      hints.arrived.delete(at);
      hints.dirs.add(at);
      return;
    }
    // A change of its mode may be what lets us in.
    if (!(bits & IN.attrib) || !watches.has(at)) hints.arrived.add(at);
  }

  function takeFile(at: string): void {
    if (name === GIT_RULES || name === WOODS_RULES) {
      ignore.forget();
      hints.rules = true;
    } else if (!extra.has(at) && ignore.ignores(at, 'file')) return;
    hints.paths.add(at);
  }
}
