import { constants } from 'node:os';
import { signalExitCode } from '@woods/protocol';
import type { Ending } from '../states/effect.ts';

/** How a process is left: by a code, or by the signal that it should be seen to die of. */
export type Leaving = { readonly code: number } | { readonly signal: 'SIGINT' | 'SIGHUP' | 'SIGQUIT' };

/**
 * TERM is an orderly end. INT, HUP and QUIT are raised again, so that a shell sees a signal and ends its own script or
 * loop. PID 1 cannot die of a signal that it does not handle, and says 128+n instead.
 */
export function chooseLeaving(ending: Ending, pid: number): Leaving {
  if (ending.by === 'code') return { code: ending.code };
  if (ending.signal === 'SIGTERM') return { code: 0 };
  if (pid === 1) return { code: signalExitCode(constants.signals[ending.signal]) };
  return { signal: ending.signal };
}

/** Ends this process. Does not return, except for the moment until a raised signal arrives. */
export function leave(leaving: Leaving): void {
  if ('code' in leaving) process.exit(leaving.code);
  process.kill(process.pid, leaving.signal);
  // where the signal is blocked, the code says it
  setTimeout(() => process.exit(signalExitCode(constants.signals[leaving.signal])), 1_000);
}
