import { VARIABLE } from '@woods/protocol';
import type { Environment } from './environment.ts';

/** What makes a child a managed one. `socket` is null where no socket could be had; the descriptor then stands alone. */
export interface Supervision {
  readonly launcher: string;
  readonly attempt: string;
  readonly eventFd: number;
  readonly eventSocket: string | null;
}

/** Replaces what an outer supervisor may have left by our own tokens and channels. */
export function enterSupervision(environment: Environment, supervision: Supervision): void {
  for (const name of [...environment.keys()]) if (name.startsWith('WOODS_WATCH_EVENT_')) environment.delete(name);
  environment.set(VARIABLE.eventFd, String(supervision.eventFd));
  environment.set(VARIABLE.launcherToken, supervision.launcher);
  environment.set(VARIABLE.attemptToken, supervision.attempt);
  if (supervision.eventSocket !== null) environment.set(VARIABLE.eventSocket, supervision.eventSocket);
}
