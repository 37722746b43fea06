/** What a caller may ask of a worker, made whole and checked against the kind of run. */
import { realpathSync } from 'node:fs';
import {
  type ConfigFlags,
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
  readonly root?: string | undefined;
  /** Index directory, relative to the root. */
  readonly output?: string | undefined;
  readonly backend?: BackendChoice | undefined;
  /** Polling interval in seconds. */
  readonly interval?: number | undefined;
  /** One scan, one publish, and the end. */
  readonly once?: boolean | undefined;
  /** Seconds after which the worker stops. */
  readonly maxSeconds?: number | undefined;
  /** Quiet seconds after which an unmanaged worker stops. */
  readonly idleTimeout?: number | undefined;
  /** More changed files than this are a storm; another name of the full threshold. */
  readonly maxFiles?: number | undefined;
}

export interface Settings {
  readonly mode: RunMode;
  readonly root: string;
  readonly config: ResolvedConfig;
  readonly backend: BackendChoice;
  readonly duration: 'once' | 'until_stopped';
  readonly maxMs: number | null;
  /** Only somebody at a terminal wants a worker that stops by itself; a supervisor would start it again. */
  readonly idleTimeoutMs: number | null;
  readonly claim: 'take' | 'skip';
  readonly profile: 'on' | 'off';
}

/** Throws UsageError for whatever cannot be done as asked. */
export function readSettings(options: WorkerOptions, env: Environment, cwd: string): Settings {
  const mode = readRunMode(env);
  const { maxSeconds } = options;
  if (mode.kind === 'managed' && options.idleTimeout !== undefined) {
    throw new UsageError(
      '--idle-timeout cannot be used under woods-watch, which would only start the worker again; leave it out',
    );
  }
  const root = mode.kind === 'managed' ? managedRoot(options.root, cwd) : findRoot({ root: options.root, cwd }).root;
  const config = loadConfig({ root, env, flags: flagsOf(options) });
  return {
    mode,
    root,
    config,
    backend: options.backend ?? chosenBackend(config.watch.poll),
    duration: options.once === true ? 'once' : 'until_stopped',
    maxMs: maxSeconds === undefined ? null : maxSeconds * 1000,
    idleTimeoutMs: mode.kind === 'managed' ? null : config.watch.idleTimeoutMs,
    claim: mode.kind === 'unmanaged' && readVariable(env, VARIABLE.ignoreWatch) === '1' ? 'skip' : 'take',
    profile: readVariable(env, VARIABLE.profile) === '1' ? 'on' : 'off',
  };
}

/** The supervisor resolved the root once and made it our working directory; another one would never be believed. */
function managedRoot(asked: string | undefined, cwd: string): string {
  if (asked !== undefined && findRoot({ root: asked, cwd }).root !== realpathSync(cwd)) {
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

function flagsOf({ output, interval, idleTimeout, maxFiles }: WorkerOptions): ConfigFlags {
  return {
    ...(output !== undefined && { output }),
    watch: {
      ...(interval !== undefined && { intervalMs: interval * 1000 }),
      ...(idleTimeout !== undefined && { idleTimeoutMs: idleTimeout * 1000 }),
      ...(maxFiles !== undefined && { fullThreshold: maxFiles }),
    },
  };
}
