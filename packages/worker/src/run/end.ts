/** The ways a worker ends. */
import { EXIT, type TerminalReason } from '@woods/protocol';
import type { ClaimAttempt } from '../claim/claim.ts';

export interface End {
  readonly exitCode: number;
  /** What the supervisor is told; null: it sees the exit code, and tries again. */
  readonly terminal: TerminalReason | null;
  /** What the status file says afterwards: `last`: the state that made it end. */
  readonly status: 'stopped' | 'last';
  /** One line for a person; null when it was said already. */
  readonly line: string | null;
}

const FAILED = 1;

export function stoppedEnd(line: string | null): End {
  return { exitCode: EXIT.ok, terminal: 'stopped', status: 'stopped', line };
}

export function idleEnd(seconds: number): End {
  return { exitCode: EXIT.ok, terminal: 'idle', status: 'stopped', line: `stopped: nothing happened for ${seconds} s` };
}

/** Why was said when the state came; only somebody without a supervisor has something left to do. */
export function restartEnd(run: 'managed' | 'unmanaged'): End {
  const line = run === 'managed' ? null : 'ended with 75: start it again; woods-watch does that by itself';
  return { exitCode: EXIT.restart, terminal: 'restart_required', status: 'last', line };
}

export function alreadyRunningEnd(refusal: Omit<Extract<ClaimAttempt, { kind: 'refused' }>, 'kind'>): End {
  const { why, token, unreadable } = refusal;
  const remedy = token === null ? '' : `; if you know that it is gone: npx woods watch-recover --token ${token}`;
  const line =
    unreadable === null
      ? `another worker has this index (${why})${remedy}`
      : `another worker may have this index (${why}); if none is running, remove ${unreadable}`;
  return { exitCode: EXIT.ok, terminal: 'already_running', status: 'last', line: `not started: ${line}` };
}

export function unsupportedEnd(why: string): End {
  const line = `not started: without flock nothing proves that only one worker writes the index (${why})`;
  return { exitCode: EXIT.usage, terminal: 'unsupported_environment', status: 'last', line };
}

export function failedEnd(line: string | null): End {
  return { exitCode: FAILED, terminal: null, status: 'last', line };
}
