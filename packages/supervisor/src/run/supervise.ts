import { newToken, probeProcess, selfIdentity, sweepSupervisorFiles, writeSupervisorStatus } from '@woods/protocol';
import { openAttempt } from '../attempt/attempt.ts';
import { EVENT_FD } from '../attempt/event-fd.ts';
import { makeSocketDirectory } from '../attempt/socket-directory.ts';
import { type Clock, systemClock } from '../clock/clock.ts';
import { childEnvironment } from '../environment/child-environment.ts';
import { keepGuardian } from '../guardian/keeper.ts';
import { NO_GUARDIAN } from '../guardian/none.ts';
import { SHELL } from '../guardian/script.ts';
import type { Log } from '../log/log.ts';
import { listenToSignals } from '../signals/listen.ts';
import { initialContext } from '../states/context.ts';
import type { Ending } from '../states/effect.ts';
import type { Event } from '../states/event.ts';
import * as lines from '../states/lines.ts';
import { openStatusJournal } from '../status/journal.ts';
import { killDescendants } from '../stop/last-resort.ts';
import { systemProcesses, ticksOf } from '../stop/processes.ts';
import { systemSignaller } from '../stop/signaller.ts';
import { createHands } from './effects.ts';
import { startHeartbeat } from './heartbeat.ts';
import { openLoop } from './loop.ts';
import type { Plan } from './plan.ts';

/** What a run touches beside processes; injected in tests. */
export interface Edge {
  readonly log: Log;
  readonly notifyReady: () => void;
  readonly clock?: Clock;
  /** The guardian's shell and its own arguments. */
  readonly shell?: readonly [string, ...string[]];
  /** Given a function that says the last words, should this process end before the run does. */
  readonly onUntimelyEnd?: (lastWords: () => void) => void;
}

/**
 * Runs the plan until the owner ends it: starts the command, starts it again when it fails, says how it stands, and
 * leaves no process behind. Resolves with how this process is to end; the signals are the caller's again by then.
 */
export async function supervise(plan: Plan, edge: Edge): Promise<Ending> {
  const { log, clock = systemClock } = edge;
  const launcher = newToken();
  const self = selfIdentity();
  const sockets = makeSocketDirectory();
  if (sockets === null) log(lines.noSockets());

  const system = {
    clock,
    processes: systemProcesses,
    signaller: systemSignaller,
    ownPid: process.pid,
    killDescendants,
  };
  const guardianOptions = {
    shell: edge.shell ?? SHELL,
    graceMs: plan.graceMs,
    since: ticksOf(self.start),
    sockets: sockets?.path ?? '',
    env: plan.inherited,
    clock,
  };
  const guardian =
    process.pid === 1 ? NO_GUARDIAN : keepGuardian(guardianOptions, () => loop.dispatch({ name: 'guardian_replaced' }));
  const journal = openStatusJournal({
    author: { launcher, pid: self.pid, pidStarted: self.start, host: self.host },
    clock,
    write: writeSupervisorStatus,
    sweep: (index) =>
      void sweepSupervisorFiles(index, {
        own: launcher,
        host: self.host,
        now: clock.date().getTime(),
        probe: probeProcess,
      }),
    onFailure: (reason, index) => log(lines.statusUnwritten({ reason, index })),
  });
  const attempts = {
    launcher,
    root: plan.root,
    command: plan.command,
    graceMs: plan.graceMs,
    guardian,
    sockets,
    system,
    environment: (attempt: { token: string; socket: string | null }) =>
      childEnvironment({
        inherited: plan.inherited,
        root: plan.root,
        supervision: { launcher, attempt: attempt.token, eventFd: EVENT_FD, eventSocket: attempt.socket },
        overrides: plan.overrides,
      }),
  };
  const dispatch = (event: Event): void => loop.dispatch(event);
  const hands = createHands({
    clock,
    log,
    journal,
    notifyReady: edge.notifyReady,
    openAttempt: (emit) => openAttempt(attempts, emit),
    dispatch,
  });
  const loop = openLoop(initialContext(plan.policy), { clock, carryOut: hands.carryOut, publish: journal.publish });

  const stopListening = listenToSignals({
    onStop: (signal) => dispatch({ name: 'stop', signal }),
    onRestart: () => dispatch({ name: 'restart' }),
    onRelay: hands.relay,
  });
  const stopHeart = startHeartbeat(clock, () => dispatch({ name: 'heartbeat' }));
  const lastWords = (): void => {
    journal.publish({ state: 'stopped', reason: 'supervisor_died', pid: null, retryInMs: null });
    journal.close();
    sockets?.remove();
  };
  edge.onUntimelyEnd?.(lastWords);

  dispatch({ name: 'begin' });
  const ending = await loop.ended;
  stopHeart();
  hands.close();
  journal.close();
  await guardian.close();
  sockets?.remove();
  stopListening();
  return ending;
}
