import { awaitRecords, beginAttempt, giveUpArming, giveUpSpawning, spawnCommand } from './actions/begin.ts';
import {
  adoptIdentity,
  giveUpSilentBoot,
  giveUpSlowBoot,
  judgeEnd,
  judgeOverstay,
  noteBackend,
  noteLeftovers,
  noteOverdue,
  noteStartup,
  noteTaskLoaded,
  noteTerminal,
  refuseChild,
  refuseOutOfOrder,
} from './actions/child.ts';
import {
  noteExit,
  restartAttempt,
  restartWhileStopping,
  stopAttempt,
  stopIdle,
  stopWhileStopping,
} from './actions/owner.ts';
import { settle } from './actions/settle.ts';
import { noteGuardian, refreshReady, refreshStatus, sayGuardian } from './actions/upkeep.ts';
import type { EventName, EventOf } from './event.ts';
import type { State } from './state.ts';
import { type Action, ignore } from './transition.ts';

/** One action for every event. A missing one does not compile. */
export type Row = { readonly [Name in EventName]: Action<EventOf<Name>> };

// Cells that several rows share. Each group is a part of a row and never a default: leaving a group or a cell out of a
// row below does not compile.

/** Nothing is being brought up, so nothing of that can succeed or fail. */
const NOT_COMING_UP = {
  begin: ignore,
  armed: ignore,
  arm_failed: ignore,
  spawned: ignore,
  spawn_failed: ignore,
} as const;

/** No child of ours runs whose records or end would mean anything. */
const NO_CHILD = {
  task_loaded: ignore,
  identity: ignore,
  leftovers_found: ignore,
  backend_ready: ignore,
  startup: ignore,
  terminal: ignore,
  refused: ignore,
  exited: ignore,
  boot_timeout: ignore,
  leave_timeout: ignore,
} as const;

/** A child runs, and whatever ends it leads through `stopping`. */
const CHILD_RUNS = {
  leftovers_found: noteLeftovers,
  refused: refuseChild,
  exited: judgeEnd,
  tree_gone: ignore,
  retry_due: ignore,
  stop: stopAttempt,
  restart: restartAttempt,
} as const;

/** It has not said its last word. */
const MORE_TO_COME = { leave_timeout: ignore, guardian_replaced: noteGuardian } as const;

/** A record that the child may not send yet or any more. */
const NO_RECORD = {
  task_loaded: refuseOutOfOrder,
  identity: refuseOutOfOrder,
  backend_ready: refuseOutOfOrder,
  startup: refuseOutOfOrder,
  terminal: refuseOutOfOrder,
} as const;

/** The whole behaviour of woods-watch: what it does in every state about every event. */
export const TABLE: Readonly<Record<State, Row>> = {
  idle: {
    ...NOT_COMING_UP,
    ...NO_CHILD,
    begin: beginAttempt,
    tree_gone: ignore,
    retry_due: ignore,
    stop: stopIdle,
    restart: ignore,
    guardian_replaced: ignore,
    heartbeat: ignore,
  },
  arming: {
    ...NOT_COMING_UP,
    ...NO_CHILD,
    armed: spawnCommand,
    arm_failed: giveUpArming,
    tree_gone: ignore,
    retry_due: ignore,
    stop: stopAttempt,
    restart: ignore,
    guardian_replaced: sayGuardian,
    heartbeat: refreshStatus,
  },
  spawning: {
    ...NOT_COMING_UP,
    ...NO_RECORD,
    ...CHILD_RUNS,
    ...MORE_TO_COME,
    spawned: awaitRecords,
    spawn_failed: giveUpSpawning,
    boot_timeout: ignore,
    heartbeat: refreshStatus,
  },
  starting: {
    ...NOT_COMING_UP,
    ...NO_RECORD,
    ...CHILD_RUNS,
    ...MORE_TO_COME,
    task_loaded: noteTaskLoaded,
    boot_timeout: giveUpSilentBoot,
    heartbeat: refreshStatus,
  },
  booting: {
    ...NOT_COMING_UP,
    ...NO_RECORD,
    ...CHILD_RUNS,
    ...MORE_TO_COME,
    identity: adoptIdentity,
    terminal: noteTerminal,
    boot_timeout: giveUpSlowBoot,
    heartbeat: refreshStatus,
  },
  identified: {
    ...NOT_COMING_UP,
    ...NO_RECORD,
    ...CHILD_RUNS,
    ...MORE_TO_COME,
    backend_ready: noteBackend,
    terminal: noteTerminal,
    boot_timeout: ignore,
    heartbeat: refreshStatus,
  },
  reconciling: {
    ...NOT_COMING_UP,
    ...NO_RECORD,
    ...CHILD_RUNS,
    ...MORE_TO_COME,
    startup: noteStartup,
    terminal: noteTerminal,
    boot_timeout: ignore,
    heartbeat: refreshStatus,
  },
  ready: {
    ...NOT_COMING_UP,
    ...NO_RECORD,
    ...CHILD_RUNS,
    ...MORE_TO_COME,
    startup: noteStartup,
    terminal: noteTerminal,
    boot_timeout: ignore,
    heartbeat: refreshReady,
  },
  degraded: {
    ...NOT_COMING_UP,
    ...NO_RECORD,
    ...CHILD_RUNS,
    ...MORE_TO_COME,
    startup: noteStartup,
    terminal: noteTerminal,
    boot_timeout: ignore,
    heartbeat: refreshStatus,
  },
  leaving: {
    ...NOT_COMING_UP,
    ...NO_RECORD,
    ...CHILD_RUNS,
    boot_timeout: ignore,
    leave_timeout: noteOverdue,
    guardian_replaced: sayGuardian,
    heartbeat: refreshStatus,
  },
  overdue: {
    ...NOT_COMING_UP,
    ...NO_RECORD,
    ...CHILD_RUNS,
    boot_timeout: ignore,
    leave_timeout: judgeOverstay,
    guardian_replaced: sayGuardian,
    heartbeat: refreshStatus,
  },
  stopping: {
    ...NOT_COMING_UP,
    ...NO_CHILD,
    exited: noteExit,
    tree_gone: settle,
    retry_due: ignore,
    stop: stopWhileStopping,
    restart: restartWhileStopping,
    guardian_replaced: sayGuardian,
    heartbeat: refreshStatus,
  },
  retrying: {
    ...NOT_COMING_UP,
    ...NO_CHILD,
    tree_gone: ignore,
    retry_due: beginAttempt,
    stop: stopIdle,
    restart: beginAttempt,
    guardian_replaced: sayGuardian,
    heartbeat: refreshStatus,
  },
  parked: {
    ...NOT_COMING_UP,
    ...NO_CHILD,
    tree_gone: ignore,
    retry_due: ignore,
    stop: stopIdle,
    restart: beginAttempt,
    guardian_replaced: sayGuardian,
    heartbeat: refreshStatus,
  },
  stopped: {
    ...NOT_COMING_UP,
    ...NO_CHILD,
    tree_gone: ignore,
    retry_due: ignore,
    stop: ignore,
    restart: ignore,
    guardian_replaced: ignore,
    heartbeat: ignore,
  },
};
