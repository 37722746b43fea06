/** What a caller may ask of a worker, made whole and checked against the kind of run. */
import { realpathSync } from 'node:fs';
import {
  type Environment,
  findRoot,
  loadConfig,
  type ResolvedConfig,
  type RunMode,
  readRunMode,
  readVariable,
  UsageError,
  VARIABLE,
} from '@woods/protocol';
import type { BackendName } from '@woods/watch';

export type BackendChoice = 'auto' | BackendName;

/** The options of `woods watch`; what is left out is decided by the configuration. */
export interface WorkerOptions {
  readonly root?: string;
  /** Index directory, relative to the root. */
  readonly output?: string;
  readonly backend?: BackendChoice;
  /** Polling interval in seconds. */
  readonly interval?: number;
  /** One scan, one publish, and the end. */
  readonly once?: boolean;
  /** Seconds after which the worker stops. */
  readonly maxSeconds?: number;
  /** Quiet seconds after which an unmanaged worker stops. */
  readonly idleTimeout?: number;
  /** More changed files than this are a storm; another name of the full threshold. */
  readonly maxFiles?: number;
}

export interface Settings {
  readonly mode: RunMode;
  readonly root: string;
  readonly config: ResolvedConfig;
  readonly backend: BackendChoice;
  readonly duration: 'once' | 'until_stopped';
  readonly maxMs: number | null;
  readonly claim: 'take' | 'skip';
  readonly profile: 'on' | 'off';
}

/** Throws UsageError for whatever cannot be done as asked. */
export function readSettings(options: WorkerOptions, env: Environment, cwd: string): Settings {
  const mode = readRunMode(env);
  const { output, interval, idleTimeout, maxFiles, maxSeconds } = options;
  if (mode.kind === 'managed' && idleTimeout !== undefined) {
    throw new UsageError(
      '--idle-timeout cannot be used under woods-watch, which would only start the worker again; leave it out',
    );
  }
  const root =
    mode.kind === 'managed' ? managedRoot(options.root, cwd) : findRoot({ cwd, ...given({ root: options.root }) }).root;
  const watch = given({ intervalMs: scaled(interval), idleTimeoutMs: scaled(idleTimeout), fullThreshold: maxFiles });
  const config = loadConfig({ root, env, flags: { ...given({ output }), watch } });
  return {
    mode,
    root,
    config,
    backend: options.backend ?? chosenBackend(config.watch.poll),
    duration: options.once === true ? 'once' : 'until_stopped',
    maxMs: scaled(maxSeconds) ?? null,
    claim: mode.kind === 'unmanaged' && readVariable(env, VARIABLE.ignoreWatch) === '1' ? 'skip' : 'take',
    profile: readVariable(env, VARIABLE.profile) === '1' ? 'on' : 'off',
  };
}

/** The supervisor resolved the root once and made it our working directory; another one would never be believed. */
function managedRoot(asked: string | undefined, cwd: string): string {
  if (asked !== undefined && realpathSync(asked) !== realpathSync(cwd)) {
    throw new UsageError(
      `--root ${asked} is not the directory ${cwd} that woods-watch was started for; give --root to woods-watch instead`,
    );
  }
  return realpathSync(cwd);
}

function chosenBackend(poll: ResolvedConfig['watch']['poll']): BackendChoice {
  if (poll === 'always') return 'polling';
  if (poll === 'auto') return 'auto';
  return process.platform === 'darwin' ? 'fsevents' : 'inotify';
}

function scaled(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}

/** Without the keys that have no value. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined);
  // exactOptionalPropertyTypes tells an absent key from an undefined one; so does the filter
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
