/**
 * The native watcher without its thread. Events are hints at which paths to look; a scan is the truth, and comes at the
 * start, when the kernel dropped events, when what belongs to the tree changed, and now and then to prove that nothing is missed.
 */
import { type Inotify, openInotify } from '@woods/posix';
import { encodePath } from '../../bytes/path.ts';
import { openIgnore } from '../../ignore/rules.ts';
import { scanTree } from '../../scan/tree.ts';
import { type Batch, type BatchReason, emptyBatch, mergeBatches } from '../batch.ts';
import { openPoller, type PollerOptions, RULES_PATH } from '../poller.ts';
import { type Hints, noHints, takeEvent } from './hints.ts';
import { openPacer } from './pacer.ts';
import { openTold } from './told.ts';
import { openWatchSet } from './watch-set.ts';

export interface Watcher {
  /** Ends a running `turn`; see `Inotify`. */
  readonly wakeFd: number;
  /**
   * Waits for something to tell, a quarter of a second at most; an empty batch when there was nothing.
   * @throws WatchLimit, MissedTwice, ScanStopped
   */
  turn(): Batch;
  close(): void;
}

/** Two scans in a row found changes that no event had told: on this file system events cannot be relied on. */
class MissedTwice extends Error {
  override readonly name = 'MissedTwice';
}

export interface WatcherOptions extends PollerOptions {
  /** Time between two scans that prove that nothing is missed. */
  readonly verifyMs: number;
}

/** The thread must come back to Node now and then, or nothing could end it. */
const TURN_MS = 250;
const GLANCE_MS = 1_000;
/** `git init` and `git worktree add` are done with what makes a repository one. */
const REPOSITORY_MS = 500;
/** The clock went on while we did not: the machine slept, or we were suspended. */
const JUMP_MS = 10_000;

/** Opens the watcher; when it returns, every later change will be told. @throws WatchLimit, RootUnreadable, a system error */
export function openWatcher(options: WatcherOptions, shouldStop: () => boolean): Watcher {
  const now = (): number => performance.now();
  const inotify: Inotify = openInotify();
  const ignore = openIgnore(options);
  const watches = openWatchSet(inotify, encodePath(options.root));
  const poller = openPoller(options, { ignore, shouldStop, arm: watches.arm });
  const extra = new Set(options.extra.map(encodePath));
  const told = openTold();
  const pacer = openPacer(now);
  let wanted: 'lost' | 'rules' | 'verify' | null = null;
  let misses = 0;
  let againMs: number | null = null;
  let glancedMs = now();
  let scannedMs = now();
  let turnedMs = Date.now();

  function scan(): Batch {
    const why = wanted;
    wanted = null;
    const { paths, overflow, reason } = poller.pass();
    watches.dropStale();
    // What was written before the scan looked is in the queue by now.
    const hints = readEvents();
    const unexplained = paths.filter((path) => path !== RULES_PATH && !extra.has(path) && !told.explains(path));
    if (why === 'verify') judge(unexplained.length);
    // Those may tell of what came after the look as well, and then the next scan finds it.
    told.clear();
    note(hints);
    pacer.scanned();
    scannedMs = now();
    return mergeBatches(fromHints(hints), { paths: new Set(paths), dirs: new Set(), overflow, reason });
  }

  function judge(unexplained: number): void {
    misses = unexplained === 0 ? 0 : misses + 1;
    if (misses >= 2) throw new MissedTwice('two scans in a row found changes that the kernel had not told');
  }

  function readEvents(): Hints {
    const hints = noHints();
    inotify.drain((event) => takeEvent(event, hints, { watches, ignore, extra }));
    for (const path of hints.arrived) walk(path, hints);
    note(hints);
    return hints;
  }

  function note({ paths, dirs, overflow }: Hints): void {
    told.add(paths, dirs);
    if (overflow) told.all();
  }

  /** A directory that came: watched first and read second, so that whatever comes into it from now on is told by itself. */
  function walk(path: string, hints: Hints): void {
    if (ignore.ignores(path, 'dir')) return;
    const { files, nested } = scanTree({ root: options.root, ignore, shouldStop, from: path, arm: watches.arm });
    for (const directory of nested) watches.drop(directory);
    for (const file of files) hints.paths.add(file.path);
  }

  function fromHints({ paths, dirs, overflow, unmounted, rules, repository }: Hints): Batch {
    if (repository) againMs = now() + REPOSITORY_MS;
    if (rules || repository) wanted ??= 'rules';
    if (unmounted || overflow) wanted = 'lost';
    // Said at once, before the scan that may have to wait: from here on the tree has to be compared as a whole.
    const lost: BatchReason | null = overflow ? 'queue-overflow' : unmounted ? 'unmount' : null;
    return { paths, dirs, overflow: lost !== null, reason: lost };
  }

  function glance(): Batch {
    glancedMs = now();
    const jumped = Math.abs(Date.now() - turnedMs) > JUMP_MS;
    const { paths, scan: due } = poller.glance();
    if (due === 'due' || (againMs !== null && againMs <= now())) {
      wanted ??= 'rules';
      againMs = null;
    }
    if (poller.suspended()) return emptyBatch();
    if (jumped || now() - scannedMs >= options.verifyMs) wanted ??= 'verify';
    return { ...emptyBatch(), paths: new Set(paths) };
  }

  function turn(): Batch {
    const untilMs = wanted === null ? TURN_MS : Math.min(TURN_MS, pacer.delayMs());
    const what = inotify.wait(Math.min(untilMs, Math.max(0, glancedMs + GLANCE_MS - now())));
    if (what === 'woken') return emptyBatch();
    const batch = what === 'readable' ? fromHints(readEvents()) : emptyBatch();
    const more = now() - glancedMs >= GLANCE_MS ? glance() : emptyBatch();
    turnedMs = Date.now();
    const seen = mergeBatches(batch, more);
    return wanted === null || pacer.delayMs() > 0 ? seen : mergeBatches(seen, scan());
  }

  try {
    poller.pass();
    watches.dropStale();
  } catch (error) {
    inotify.close();
    throw error;
  }
  return { wakeFd: inotify.wakeFd, turn, close: () => inotify.close() };
}
