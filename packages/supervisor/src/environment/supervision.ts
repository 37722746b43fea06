import { OUTER_ATTEMPT_PREFIX, VARIABLE } from '@woods/protocol';
import type { Environment } from './environment.ts';

/** Only a token that can stand in a name: others come from an outer supervisor that is not ours. */
const TOKEN = /^[0-9A-Za-z_]{1,128}$/;

/** What makes a child a managed one. `socket` is null where no socket could be had; the descriptor then stands alone. */
export interface Supervision {
  readonly launcher: string;
  readonly attempt: string;
  readonly eventFd: number;
  readonly eventSocket: string | null;
}

/** Whether we set this variable ourselves, so that nobody else may. */
export function isSupervisionVariable(name: string): boolean {
  const ours: readonly string[] = [VARIABLE.launcherToken, VARIABLE.attemptToken];
  return ours.includes(name) || name.startsWith('WOODS_WATCH_EVENT_') || name.startsWith(OUTER_ATTEMPT_PREFIX);
}

/**
 * Replaces what an outer supervisor may have left by our own tokens and channels. The outer attempt's token stays in the
 * name of a variable: what a nested supervisor could not end any more has to go when the outer attempt ends.
 */
export function enterSupervision(environment: Environment, supervision: Supervision): void {
  const outer = environment.get(VARIABLE.attemptToken);
  if (outer !== undefined && TOKEN.test(outer)) environment.set(`${OUTER_ATTEMPT_PREFIX}${outer}`, '1');
  for (const name of [...environment.keys()]) if (name.startsWith('WOODS_WATCH_EVENT_')) environment.delete(name);
  environment.set(VARIABLE.eventFd, String(supervision.eventFd));
  environment.set(VARIABLE.launcherToken, supervision.launcher);
  environment.set(VARIABLE.attemptToken, supervision.attempt);
  if (supervision.eventSocket !== null) environment.set(VARIABLE.eventSocket, supervision.eventSocket);
}
