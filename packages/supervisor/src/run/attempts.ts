import { type Attempt, openAttempt } from '../attempt/attempt.ts';
import { EVENT_FD } from '../attempt/event-fd.ts';
import type { SocketDirectory } from '../attempt/socket-directory.ts';
import type { Clock } from '../clock/clock.ts';
import { childEnvironment } from '../environment/child-environment.ts';
import type { Guardian } from '../guardian/keeper.ts';
import type { Event } from '../states/event.ts';
import { killDescendants } from '../stop/last-resort.ts';
import { systemProcesses } from '../stop/processes.ts';
import { systemSignaller } from '../stop/signaller.ts';
import type { Plan } from './plan.ts';

/** Opens attempts at the plan's command on this machine, all for the same launcher, guardian and socket directory. */
export function attemptsAt(
  plan: Plan,
  shared: {
    launcher: string;
    guardian: Guardian;
    sockets: SocketDirectory | null;
    adopted: () => readonly number[];
    clock: Clock;
  },
): (emit: (event: Event) => void) => Attempt {
  const { launcher, guardian, sockets, adopted, clock } = shared;
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
  const attemptPlan = { launcher, root, command, graceMs, guardian, sockets, system, environment };
  return (emit) => openAttempt(attemptPlan, emit);
}
