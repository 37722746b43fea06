import { loadConfig } from '@woods/protocol';
import { type Attempt, openAttempt } from '../attempt/attempt.ts';
import { EVENT_FD } from '../attempt/event-fd.ts';
import type { SocketDirectory } from '../attempt/socket-directory.ts';
import type { Clock } from '../clock/clock.ts';
import { childEnvironment } from '../environment/child-environment.ts';
import type { Guardian } from '../guardian/keeper.ts';
import { type Leftovers, openLeftovers } from '../leftovers/leftovers.ts';
import type { Log } from '../log/log.ts';
import type { Event } from '../states/event.ts';
import { killDescendants } from '../stop/last-resort.ts';
import { systemProcesses } from '../stop/processes.ts';
import { systemSignaller } from '../stop/signaller.ts';
import type { Plan } from './plan.ts';

/** Attempts at the plan's command on this machine, all for the same launcher, guardian and socket directory. */
export function attemptsAt(
  plan: Plan,
  shared: {
    launcher: string;
    host: string;
    guardian: Guardian;
    sockets: SocketDirectory | null;
    adopted: () => readonly number[];
    clock: Clock;
    log: Log;
  },
): { open: (emit: (event: Event) => void) => Attempt; leftovers: Leftovers } {
  const { launcher, host, guardian, sockets, adopted, clock, log } = shared;
  const { root, command, graceMs, inherited, overrides } = plan;
  const system = {
    clock,
    processes: systemProcesses,
    signaller: systemSignaller,
    ownPid: process.pid,
    adopted,
    killDescendants,
  };
  function environment(attempt: { token: string; socket: string | null }): Record<string, string> {
    const supervision = { launcher, attempt: attempt.token, eventFd: EVENT_FD, eventSocket: attempt.socket };
    return childEnvironment({ inherited, root, supervision, overrides });
  }
  function usualIndex(): string | null {
    try {
      return loadConfig({ root, env: environment({ token: '', socket: null }) }).output;
    } catch {
      // the child will say what is wrong with it
      return null;
    }
  }
  const leftovers = openLeftovers({ host, graceMs, system, log, usualIndex });
  const attemptPlan = { launcher, root, command, graceMs, guardian, sockets, system, leftovers, environment };
  return { open: (emit) => openAttempt(attemptPlan, emit), leftovers };
}
