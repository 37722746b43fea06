import { join } from 'node:path';
import { configFingerprint, type ResolvedConfig } from '@woods/protocol';
import { decodePath, findRepository, openIgnore, type Repository } from '@woods/watch';
import { languagesFor } from '../discover/language.ts';
import { createSegmentCache, ensureIndexDirectory, mergeWhenFree } from '../store/index.ts';
import { refreshRules, relativePath, surveyFor } from './candidates.ts';
import { fingerprintOf } from './fingerprint.ts';
import { openGitLook } from './git-look.ts';
import { type Phases, startPhases } from './phases.ts';
import { openRecords } from './records.ts';
import type { RunResult } from './result.ts';
import { prepareState, type RunTools, runOver } from './run.ts';
import { emptyState, isCurrent, loadState, type State } from './state.ts';

export interface IndexerOptions {
  /** Absolute and real. */
  readonly root: string;
  /** Absolute. Made when it is not there. */
  readonly indexDir: string;
  readonly config: ResolvedConfig;
}

interface Run {
  /** Stands in the generation as the reason for it. */
  readonly reason: string;
  /** The writer lock that the caller holds, for being touched on the way. */
  readonly lock?: { touch(): void };
  /** Called after each file that was looked at. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Keeps the index of one tree. Whoever calls `reconcile` or `update` holds the writer lock meanwhile. */
export interface Indexer {
  /**
   * Scans the tree and takes in what differs from the published generation; without one, everything. `force: 'all'` looks
   * at every file and publishes everything anew, as if there was none.
   */
  reconcile(run: Run & { readonly force?: 'all' }): Promise<RunResult>;
  /** Takes in what became of these root-relative paths; a directory stands for everything below it. */
  update(run: Run & { readonly paths: ReadonlySet<string> }): Promise<RunResult>;
  /**
   * After a run, when there is time and the caller has given back the writer lock: makes the next change as fast as those
   * after it, and merges segments. Publishes nothing.
   */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the indexer of a tree. It may be killed at any time: what it published stands, and nothing else counts.
 * Runs are one after another, whoever asks. They throw UsageError, IndexError, PublishError and RootUnreadable.
 * Throws UsageError when the index directory cannot be made or the configuration names an unknown language.
 */
export async function openIndexer({ root, indexDir, config }: IndexerOptions): Promise<Indexer> {
  const languageOf = languagesFor(config.languages);
  ensureIndexDirectory(indexDir);
  const found = findRepository(root);
  const repository = found.kind === 'repository' ? found.repository : null;
  const ignore = openIgnore({ root, indexDir, include: config.include, exclude: config.exclude });
  const records = openRecords(recordsDirectory(repository, indexDir), configFingerprint(config));
  const cache = createSegmentCache();
  const tools: RunTools = {
    root,
    indexDir,
    retention: config.payloadRetention,
    cache,
    look: { root, languageOf, maxFileBytes: config.maxFileBytes },
    records,
    git: openGitLook(root, repository),
  };
  let state: State | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function runNow({ phases, ...asked }: OneRun): Promise<RunResult> {
    phases.enter('load');
    const fresh = () => fingerprintOf(root, configFingerprint(config));
    const known = state !== null && isCurrent(state, indexDir) ? state : loadState(indexDir, fresh(), cache);
    // Whatever goes wrong from here on, the next run starts from what is published.
    state = null;
    phases.enter('scan');
    const rules = refreshRules(ignore, asked.paths);
    const from = asked.force ? emptyState(fresh()) : known;
    const survey = surveyFor({ root, ignore }, from, asked.paths, rules);
    const whole = asked.paths === null || from.published === null;
    const git = whole ? 'ask' : 'glance';
    const done = await runOver(tools, { state: from, survey, git, phases, ...asked });
    state = done.state;
    return { ...done.result, reload: rules === 'changed' ? 'ignore_rules' : 'none', ...phases.finish() };
  }

  async function prepareNow(): Promise<void> {
    if (state !== null) state = await prepareState(tools, state);
    await mergeWhenFree({ indexDir, cache });
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  const run = (asked: Omit<OneRun, 'phases'>) => inTurn(() => runNow({ ...asked, phases: startPhases() }));

  return {
    reconcile: ({ reason, lock, onProgress, force }) =>
      run({ reason, lock, onProgress, force: force === 'all', paths: null }),
    update: async ({ reason, lock, onProgress, paths }) =>
      run({ reason, lock, onProgress, force: false, paths: [...paths].map(relativePath) }),
    prepare: () => inTurn(prepareNow),
    async close() {
      await last;
      records.close();
    },
  };
}

interface OneRun {
  readonly reason: string;
  readonly lock: { touch(): void } | undefined;
  readonly onProgress: Run['onProgress'];
  readonly force: boolean;
  /** Null: the whole tree. */
  readonly paths: readonly string[] | null;
  readonly phases: Phases;
}

/** Worktrees of one repository share their records. */
function recordsDirectory(repository: Repository | null, indexDir: string): string {
  const common = repository === null ? null : decodePath(repository.commonDir);
  return common === null ? join(indexDir, 'records') : join(common, 'woods', 'records');
}
