import {
  newToken,
  probeProcess,
  type SelfIdentity,
  selfIdentity,
  sweepSupervisorFiles,
  writeSupervisorStatus,
} from '@woods/protocol';
import { makeSocketDirectory, removeAbandonedSockets } from '../attempt/socket-directory.ts';
import { type Clock, systemClock } from '../clock/clock.ts';
import { type Guardian, keepGuardian } from '../guardian/keeper.ts';
import { NO_GUARDIAN } from '../guardian/none.ts';
import { SHELL } from '../guardian/script.ts';
import type { Log } from '../log/log.ts';
import { openOrphans } from '../orphans/orphans.ts';
import { listenToSignals } from '../signals/listen.ts';
import { initialContext } from '../states/context.ts';
import type { Ending } from '../states/effect.ts';
import type { Event } from '../states/event.ts';
import * as lines from '../states/lines.ts';
import { openStatusJournal, type StatusJournal } from '../status/journal.ts';
import { ticksOf } from '../stop/processes.ts';
import { attemptsAt } from './attempts.ts';
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
  const sockets = makeSocketDirectory(self);
  if (sockets === null) log(lines.noSockets());
  const orphans = openOrphans((reason) => log(lines.orphansUnreaped(reason)));

  const dispatch = (event: Event): void => loop.dispatch(event);
  const guardian = guard(plan, { edge, clock, self, sockets: sockets?.path ?? '', log, dispatch });
  const journal = openJournal({ launcher, self, clock, log });
  const around = { launcher, host: self.host, guardian, sockets, adopted: orphans.adopted, clock, log };
  const attempts = attemptsAt(plan, around);
  const hands = createHands({
    clock,
    log,
    journal,
    notifyReady: edge.notifyReady,
    leftovers: attempts.leftovers,
    openAttempt: attempts.open,
    dispatch,
  });
  const loop = openLoop(initialContext(plan.policy), { clock, carryOut: hands.carryOut, publish: journal.publish });

  const stopListening = listenToSignals({
    onStop: (signal) => dispatch({ name: 'stop', signal }),
    onRestart: () => dispatch({ name: 'restart' }),
    onRelay: hands.relay,
  });
  const stopHeart = startHeartbeat(clock, () => dispatch({ name: 'heartbeat' }));
  edge.onUntimelyEnd?.(() => {
    journal.publish({ state: 'stopped', reason: 'supervisor_died', pid: null, retryInMs: null });
    journal.close();
    sockets?.remove();
  });

  dispatch({ name: 'begin' });
  // the native call is loaded while the guardian comes up, and nothing can be orphaned before that
  orphans.adopt();
  removeAbandonedSockets();
  const ending = await loop.ended;
  stopHeart();
  hands.close();
  journal.close();
  await guardian.close();
  sockets?.remove();
  orphans.close();
  stopListening();
  return ending;
}

function guard(
  plan: Plan,
  around: { edge: Edge; clock: Clock; self: SelfIdentity; sockets: string; log: Log; dispatch: (event: Event) => void },
): Guardian {
  if (process.pid === 1) return NO_GUARDIAN;
  const options = {
    shell: around.edge.shell ?? SHELL,
    graceMs: plan.graceMs,
    since: ticksOf(around.self.start),
    sockets: around.sockets,
    env: plan.inherited,
    clock: around.clock,
    onSuspended: () => around.log(lines.guardianSuspended()),
  };
  return keepGuardian(options, () => around.dispatch({ name: 'guardian_replaced' }));
}

function openJournal(around: { launcher: string; self: SelfIdentity; clock: Clock; log: Log }): StatusJournal {
  const { launcher, self, clock, log } = around;
  return openStatusJournal({
    author: { launcher, pid: self.pid, pidStarted: self.start, host: self.host },
    clock,
    write: writeSupervisorStatus,
    sweep: (index) => {
      const now = clock.date().getTime();
      sweepSupervisorFiles(index, { own: launcher, host: self.host, now, probe: probeProcess });
    },
    onFailure: (reason, index) => log(lines.statusUnwritten({ reason, index })),
  });
}
