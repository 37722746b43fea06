import { EXIT } from '@woods/protocol';
import type { AttemptFacts } from './attempt-facts.ts';
import type { Exit } from './event.ts';
import type { StopSignal } from './state.ts';

/** What becomes of the supervisor once the tree of an attempt is gone. */
export type Decision =
  /** An accident: start again after a delay, and count it. */
  | { readonly kind: 'retry'; readonly reason: string; readonly what: string }
  /** The child asked to be started again. */
  | { readonly kind: 'planned' }
  /** The owner asked for a new child. */
  | { readonly kind: 'restart' }
  /** Starting again would only repeat it: `what` happened, and `advice` for who reads it. */
  | { readonly kind: 'park'; readonly reason: string; readonly what: string; readonly advice: string }
  /** The owner asked us to end, at `at` (monotonic milliseconds). */
  | { readonly kind: 'finish'; readonly signal: StopSignal; readonly at: number };

const AGAIN = 'then stop woods-watch and start it again, or send it USR2';

/** Judges the end of a child: see the retry and park rules of the protocol's chapter on supervision states. */
export function judgeExit(exit: Exit, attempt: AttemptFacts): Decision {
  const final = judgeFinalWord(attempt);
  if (final !== null) return final;
  if (exit.code === null) {
    return { kind: 'retry', reason: 'child_failed', what: `the command was ended by signal ${exit.signal}` };
  }
  if (exit.code === EXIT.restart && attempt.terminal === 'restart_required') return { kind: 'planned' };
  if (exit.code === EXIT.ok) return judgeCleanExit(attempt);
  if (exit.code === EXIT.notExecutable || exit.code === EXIT.notFound) return judgeUnstartable(exit.code);
  return { kind: 'retry', reason: 'child_failed', what: `the command ended with exit code ${exit.code}` };
}

/** Some last words mean the same however the child ended, and also when it never did; null for the others. */
function judgeFinalWord(attempt: AttemptFacts): Decision | null {
  if (attempt.terminal === 'already_running' && attempt.besideLeftovers) {
    return {
      kind: 'retry',
      reason: 'already_running',
      what: 'the index is served by a worker that a killed woods-watch left behind, which will be ended',
    };
  }
  if (attempt.terminal === 'already_running') {
    return {
      kind: 'park',
      reason: 'already_running',
      what: 'another worker already serves this index, or may do so',
      advice: `see the command's own message above; use that worker, or stop it, ${AGAIN}`,
    };
  }
  if (attempt.terminal === 'unsupported_environment') {
    return {
      kind: 'park',
      reason: 'unsupported_environment',
      what: 'the command says that it cannot work in this environment',
      advice: `see its own message above, ${AGAIN}`,
    };
  }
  return null;
}

/** Judges a child that was still there `ms` after its last word. */
export function judgeLastWord(attempt: AttemptFacts, ms: number): Decision {
  const final = judgeFinalWord(attempt);
  if (final !== null) return final;
  if (attempt.terminal === 'restart_required') return { kind: 'planned' };
  return {
    kind: 'park',
    reason: attempt.terminal ?? 'child_finished',
    what: `the command said that it ends (${attempt.terminal}), and was still there ${ms / 1_000} s later`,
    advice: `a supervised command is expected to run until it is stopped; find out why it ended, ${AGAIN}`,
  };
}

function judgeCleanExit(attempt: AttemptFacts): Decision {
  const unexplained = attempt.terminal === null;
  return {
    kind: 'park',
    reason: attempt.terminal ?? 'child_finished',
    what: unexplained
      ? 'the command ended with exit code 0 and did not say why (a death by a real-time signal looks the same)'
      : `the command ended with exit code 0 (${attempt.terminal})`,
    advice: `a supervised command is expected to run until it is stopped; find out why it ended, ${AGAIN}`,
  };
}

function judgeUnstartable(code: number): Decision {
  const missing = code === EXIT.notFound;
  return {
    kind: 'park',
    reason: missing ? 'not_found' : 'not_executable',
    what: `the command ended with exit code ${code}: something that it runs ${missing ? 'was not found' : 'is not executable'}`,
    advice: `correct the command, ${AGAIN}`,
  };
}

/** Errors of fork and exec that pass by themselves. */
const PASSING = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE', 'ETXTBSY']);

/** Judges a command that could not be started at all; `code` is the system's error name. */
export function judgeSpawnFailure(failure: { code: string; detail: string }): Decision {
  if (PASSING.has(failure.code)) {
    return { kind: 'retry', reason: 'spawn_failed', what: `the command could not be started now (${failure.detail})` };
  }
  return {
    kind: 'park',
    reason: 'spawn_failed',
    what: `the command could not be started (${failure.detail})`,
    advice: `check the file, its mode and the interpreter that its first line names, ${AGAIN}`,
  };
}

export function judgeRefusal(refusal: { reason: string; detail: string }): Decision {
  return {
    kind: 'park',
    reason: 'incompatible',
    what: `the command does not speak the protocol as this version expects it: ${refusal.detail} (${refusal.reason})`,
    advice: `use a command of the same version, ${AGAIN}`,
  };
}

/** A boot that took too long: a child that said something gets another try; one that never spoke will never speak. */
export function judgeLateBoot(boot: { spoke: boolean; timeoutMs: number }): Decision {
  const within = `within ${boot.timeoutMs / 1_000} s (--boot-timeout)`;
  if (boot.spoke) {
    return { kind: 'retry', reason: 'boot_timeout', what: `the command did not announce its index ${within}` };
  }
  return {
    kind: 'park',
    reason: 'no_protocol',
    what: `the command sent no lifecycle record ${within}`,
    advice:
      'run one that writes version 1 lifecycle records to WOODS_WATCH_EVENT_FD or WOODS_WATCH_EVENT_SOCKET, such as `woods watch`',
  };
}

/**
 * The exit code by which `--max-failures` tells what the child died of; 1 when there never was a child, and when it ended
 * with 0 because we had to stop it: a failure must not read as success.
 */
export function codeToReport(exit: Exit | null): number {
  if (exit === null || exit.code === 0) return 1;
  return exit.code ?? 128 + (exit.signal ?? 0);
}
