import type { Line } from './effect.ts';
import type { StopSignal } from './state.ts';

/** Every line that woods-watch says, in one place: they speak with one voice, and docs/supervising.md lists them. */

export function started(pid: number): Line {
  return { level: 'info', event: 'started', text: `started the command as process ${pid}`, fields: { pid } };
}

export function startup(record: { state: 'ready' | 'degraded'; generation: number; reason: string }): Line {
  const { state, generation, reason } = record;
  const text = state === 'ready' ? `ready, generation ${generation}` : `degraded (${reason}), generation ${generation}`;
  return { level: 'info', event: state, text, fields: { generation, reason } };
}

export function retrying(failure: { what: string; failures: number; delayMs: number }): Line {
  const seconds = failure.delayMs / 1_000;
  return {
    level: 'warn',
    event: 'retrying',
    text: `${failure.what}; starting it again in ${seconds} s (failure ${failure.failures})`,
    fields: { failures: failure.failures, delay_s: seconds },
  };
}

export function planned(end: { delayMs: number; reachedReady: boolean }): Line {
  const why = end.reachedReady ? 'because it asked for that a moment ago already' : 'because it had not become ready';
  const when = end.delayMs === 0 ? 'now' : `in ${end.delayMs / 1_000} s, ${why}`;
  return {
    level: 'info',
    event: 'restart_required',
    text: `the command asked to be started again; starting it ${when}`,
    fields: { delay_s: end.delayMs / 1_000 },
  };
}

export function restarting(): Line {
  return { level: 'info', event: 'restarting', text: 'starting the command again, as asked by USR2' };
}

export function parked(decision: { reason: string; what: string; advice: string }): Line {
  return {
    level: 'error',
    event: 'parked',
    text: `parked (${decision.reason}): ${decision.what}; ${decision.advice}`,
    fields: { reason: decision.reason },
  };
}

export function tooManyFailures(end: { what: string; failures: number; code: number }): Line {
  return {
    level: 'error',
    event: 'too_many_failures',
    text: `${end.what}; that was failure ${end.failures} of --max-failures, so woods-watch ends with exit code ${end.code}`,
    fields: { failures: end.failures, code: end.code },
  };
}

export function stopping(signal: StopSignal): Line {
  const again = signal === 'SIGINT' || signal === 'SIGTERM' ? '; again to kill' : '';
  return { level: 'info', event: 'stopping', text: `stopping on ${signal.slice(3)}${again}`, fields: { signal } };
}

export function killing(): Line {
  return { level: 'warn', event: 'killing', text: 'killing what is still running' };
}

export function leftBehind(pids: readonly number[]): Line {
  return {
    level: 'error',
    event: 'left_behind',
    text: `could not end process ${pids.join(', ')}, even with KILL; it may hang in the kernel, look at it with ps`,
    fields: { pids: pids.join(',') },
  };
}

export function leftovers(pids: readonly number[]): Line {
  return {
    level: 'warn',
    event: 'leftovers',
    text: `ending what a killed woods-watch left running on this index: process ${pids.join(', ')}`,
    fields: { pids: pids.join(',') },
  };
}

export function guardianReplaced(): Line {
  return { level: 'warn', event: 'guardian_replaced', text: 'the guardian had ended and has been replaced' };
}

export function guardianSuspended(): Line {
  return {
    level: 'warn',
    event: 'guardian_suspended',
    text: 'the guardian is stopped by a signal; waiting until it is continued (kill -CONT)',
  };
}

export function noSockets(): Line {
  return {
    level: 'warn',
    event: 'no_sockets',
    text: 'no event socket could be made under /tmp, so commands started through npm, npx, pnpm or yarn cannot report; make /tmp writable',
  };
}

export function orphansUnreaped(reason: string): Line {
  return {
    level: 'warn',
    event: 'orphans_unreaped',
    text: `processes that lost their parent cannot be reaped here (${reason}); run woods-watch under an init, such as docker's --init`,
  };
}

export function statusUnwritten(failure: { reason: string; index: string }): Line {
  return {
    level: 'warn',
    event: 'status_unwritten',
    text: `the supervision status in ${failure.index} cannot be written (${failure.reason}); supervision goes on, but others cannot see it`,
    fields: { index: failure.index },
  };
}

/** Before anything was started; `code` is what we end with. */
export function refused(failure: { what: string; code: number }): Line {
  return { level: 'error', event: 'refused', text: failure.what, fields: { code: failure.code } };
}

export function internalError(what: string): Line {
  return {
    level: 'error',
    event: 'internal_error',
    text: `internal error: ${what}; the guardian ends the command. Please report this`,
  };
}
