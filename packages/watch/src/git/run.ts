import { spawnSync } from 'node:child_process';

export interface GitOptions {
  /** Directory that git runs in (`-C`); text. */
  readonly cwd: string;
  /** Output beyond this is a failure, not a truncation; default 64 MiB. */
  readonly maxBytes?: number;
  /** Default 10,000. */
  readonly timeoutMs?: number;
}

type GitFailure = 'git_missing' | 'not_a_repository' | 'refused' | 'timeout' | 'too_large' | 'failed';

export type GitResult =
  | { readonly ok: true; readonly stdout: Buffer }
  | {
      readonly ok: false;
      readonly failure: GitFailure;
      /** Null when git did not run to its end. */
      readonly exitCode: number | null;
      /** One line: git's own words, or the system's. */
      readonly detail: string;
    };

/**
 * Runs git to its end and hands back its bytes; never throws. It blocks its thread for up to `timeoutMs`, so it belongs into
 * worker threads and start-up.
 *
 * Node's own `spawnSync` and not execa: this module is loaded by every polling thread, where execa's hundred modules would cost
 * more than all of the rest, and of what execa adds we would use nothing.
 */
export function runGit(args: readonly string[], options: GitOptions): GitResult {
  const { cwd, maxBytes = 64 * 1024 * 1024, timeoutMs = 10_000 } = options;
  // core.fsmonitor may name a daemon that outlives us, or any command of the repository's choice.
  const run = spawnSync('git', ['-C', cwd, '-c', 'core.fsmonitor=false', ...args], {
    // Our own working directory may be gone; with `/`, ENOENT means that there is no git.
    cwd: '/',
    env: gitEnvironment(process.env),
    maxBuffer: maxBytes,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (run.error !== undefined) {
    const detail = firstLine(run.error.message);
    return { ok: false, failure: failureOfSystem(run.error), exitCode: null, detail };
  }
  if (run.status === 0) return { ok: true, stdout: run.stdout };
  const words = run.stderr.toString('utf8');
  return { ok: false, failure: failureOfWords(words), exitCode: run.status, detail: firstLine(words) };
}

/** What a git child gets: nothing that points it at another repository, takes locks, asks questions or speaks a language. */
export function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
}

function failureOfSystem(error: NodeJS.ErrnoException): GitFailure {
  if (error.code === 'ENOENT') return 'git_missing';
  if (error.code === 'ETIMEDOUT') return 'timeout';
  return error.code === 'ENOBUFS' ? 'too_large' : 'failed';
}

function failureOfWords(words: string): GitFailure {
  if (words.includes('not a git repository')) return 'not_a_repository';
  return words.includes('dubious ownership') ? 'refused' : 'failed';
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
