import { encodePath } from '../bytes/path.ts';
import type { IgnoreRules, TreeOptions } from '../ignore/rules.ts';
import { RootUnreadable } from '../scan/errors.ts';
import type { FileStamp } from '../scan/stamp.ts';
import { scanTree, type TreeScan } from '../scan/tree.ts';
import { sameStamp } from '../signature/compare.ts';
import { contentDigest } from '../signature/content.ts';
import type { BatchReason } from './batch.ts';
import { openExtras } from './extra.ts';
import { type Memory, NO_MEMORY, type Seen, takeIn } from './memory.ts';
import { rootIdentity } from './root.ts';

/** Told for every change of the rules that is not one file in the tree: git's index or settings, a repository inside. */
export const RULES_PATH = '.git/info/exclude';

export interface PollerOptions extends TreeOptions {
  /** Root-relative paths (text) that are looked at each time although they are ignored; `.git/<name>` is git's own file. */
  readonly extra: readonly string[];
}

/** What one pass found; root-relative byte paths. */
export interface Pass {
  readonly paths: readonly string[];
  readonly overflow: boolean;
  readonly reason: BatchReason | null;
}

/** What a poller works with. */
export interface PollerTools {
  readonly ignore: IgnoreRules;
  readonly shouldStop: () => boolean;
  /** See `ScanOptions`. */
  readonly arm?: (path: string) => void;
}

export interface Poller {
  /** One scan against the one before; the first only remembers. @throws ScanStopped */
  pass(): Pass;
  /** A look at the few things that tell without a scan: the root itself, git's rules, the extra files. */
  glance(): { readonly paths: readonly string[]; readonly scan: 'due' | 'not_due' };
  /** Whether the root is missing. */
  suspended(): boolean;
}

type State =
  | { readonly kind: 'new' }
  | { readonly kind: 'suspended' }
  | { readonly kind: 'watching'; readonly root: string; readonly memory: Memory; readonly nested: string };

const NOTHING: Pass = { paths: [], overflow: false, reason: null };

/** Polling without clock and thread: each pass is one synchronous scan. */
export function openPoller(options: PollerOptions, { ignore, shouldStop, arm }: PollerTools): Poller {
  const extras = openExtras(options.root, [...options.extra.map(encodePath), RULES_PATH]);
  let state: State = { kind: 'new' };
  let rules: 'same' | 'changed' = 'same';
  /** The extra files as they were last looked at. */
  let known: ReadonlyMap<string, FileStamp> = new Map();

  function pass(): Pass {
    const root = rootIdentity(options.root);
    if (root === null) return suspend();
    const before = state;
    const replaced = before.kind === 'suspended' || (before.kind === 'watching' && before.root !== root);
    if (replaced) ignore.reload();
    const rulesChanged = ignore.refresh() || rules === 'changed';
    rules = 'same';
    if (replaced || rulesChanged) extras.reload();
    const scan = scanOrNull();
    // A root that goes away under the walk looks like a tree full of deletions.
    if (scan === null || rootIdentity(options.root) !== root) return suspend();
    const last = before.kind === 'watching' && !replaced ? before : null;
    const { memory, paths } = takeIn(last?.memory ?? NO_MEMORY, withExtras(scan), (file) =>
      contentDigest(extras.locate(file.path), file.kind),
    );
    const nested = scan.nested.join('\n');
    state = { kind: 'watching', root, memory, nested };
    if (replaced) return { paths: [], overflow: true, reason: 'root-gone' };
    if (last === null) return NOTHING;
    const rulePaths = rulesChanged || last.nested !== nested ? [RULES_PATH] : [];
    return { paths: [...paths, ...rulePaths], overflow: false, reason: null };
  }

  function suspend(): Pass {
    if (state.kind === 'suspended') return NOTHING;
    state = { kind: 'suspended' };
    return { paths: [], overflow: false, reason: 'root-gone' };
  }

  function scanOrNull(): TreeScan | null {
    try {
      return scanTree({ root: options.root, ignore, shouldStop, ...(arm !== undefined && { arm }) });
    } catch (error) {
      if (error instanceof RootUnreadable) return null;
      throw error;
    }
  }

  function withExtras(scan: TreeScan): Seen {
    const files = new Map([...scan.hiddenRules, ...lookAtExtras().values()].map((file) => [file.path, file]));
    for (const { path } of scan.files) files.delete(path);
    return { ...scan, files: [...scan.files, ...files.values()] };
  }

  function glance(): { paths: string[]; scan: 'due' | 'not_due' } {
    const root = rootIdentity(options.root);
    if (ignore.refresh()) rules = 'changed';
    const moved = state.kind === 'watching' ? state.root !== root : root !== null;
    const before = known;
    const now = lookAtExtras();
    const paths = [...new Set([...before.keys(), ...now.keys()])].filter((path) =>
      differs(before.get(path), now.get(path)),
    );
    return { paths, scan: moved || rules === 'changed' ? 'due' : 'not_due' };
  }

  function lookAtExtras(): ReadonlyMap<string, FileStamp> {
    known = new Map(extras.stamps().map((stamp) => [stamp.path, stamp]));
    return known;
  }

  return { pass, glance, suspended: () => state.kind === 'suspended' };
}

function differs(before: FileStamp | undefined, now: FileStamp | undefined): boolean {
  if (before === undefined || now === undefined) return before !== now;
  return !sameStamp(before, now);
}
