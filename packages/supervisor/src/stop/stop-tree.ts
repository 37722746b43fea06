import { type Clock, pause } from '../clock/clock.ts';
import { type Stopwatch, startStopwatch } from '../clock/stopwatch.ts';
import { type Escapees, trackEscapees } from './escapees.ts';
import { type Group, type Leader, watchGroup } from './group.ts';
import type { Processes } from './processes.ts';
import type { Signaller } from './signaller.ts';

/** The world in which a tree is stopped; injected, so that it can be stopped without a process. */
export interface StopSystem {
  readonly clock: Clock;
  readonly processes: Processes;
  readonly signaller: Signaller;
  readonly ownPid: number;
  /** Living children of ours that we did not start: see `orphans/`. */
  readonly adopted: () => readonly number[];
  /** Kills a process and its descendants where `processes` cannot see them; see `last-resort.ts`. */
  readonly killDescendants: (pid: number) => Promise<void>;
}

export interface StopRequest {
  /** Null when no process was started: then only what carries the token is looked for. */
  readonly leader: Leader | null;
  readonly token: string;
  /** From TERM to KILL, in milliseconds. */
  readonly graceMs: number;
  /** Aborted when the owner has lost patience: from then on KILL. */
  readonly impatience: AbortSignal;
}

const SHORTEST_LOOK_MS = 2;
const LONGEST_LOOK_MS = 25;
/** A step of waiting that took longer than this means that we were suspended. */
const LONGEST_STEP_MS = 500;
/** What KILL does not end within this time hangs in the kernel. */
const AFTER_KILL_MS = 2_000;
/** What an escapee gets between TERM and KILL even when the group has used up the grace. */
const LEAST_ESCAPEE_GRACE_MS = 150;

/**
 * Stops the tree of an attempt: CONT and TERM to the group, KILL to what is left of it after the grace, and then the
 * same for what left the group. Resolves with the processes that even KILL did not end, when nothing else is left.
 */
export async function stopTree(request: StopRequest, system: StopSystem): Promise<readonly number[]> {
  const watch = startStopwatch(system.clock, { longestStepMs: LONGEST_STEP_MS });
  const escapees = trackEscapees(request, system);
  const stuck = request.leader === null ? [] : await stopGroup(request.leader, { request, system, watch, escapees });
  return [...stuck, ...(await stopEscapees({ request, system, watch, escapees }))];
}

interface Stop {
  readonly request: StopRequest;
  readonly system: StopSystem;
  readonly watch: Stopwatch;
  readonly escapees: Escapees;
}

async function stopGroup(leader: Leader, stop: Stop): Promise<readonly number[]> {
  const { request, system, watch, escapees } = stop;
  const group: Group = watchGroup(leader, system);
  if (group.isEmpty()) return [];
  escapees.noteDescendants();
  group.signal('SIGCONT');
  group.signal('SIGTERM');
  if (await until(() => group.isEmpty(), stop, { ms: request.graceMs, patience: request.impatience })) return [];
  escapees.noteDescendants();
  await system.killDescendants(leader.pid);
  group.signal('SIGKILL');
  if (await until(() => group.isEmpty(), stop, { ms: watch.look() + AFTER_KILL_MS })) return [];
  return system.processes.inGroup(leader.pid);
}

async function stopEscapees(stop: Stop): Promise<readonly number[]> {
  const { request, watch, escapees } = stop;
  const gone = (): boolean => escapees.remaining().length === 0;
  escapees.noteStrays();
  if (gone()) return [];
  escapees.signal('SIGCONT');
  escapees.signal('SIGTERM');
  const ms = Math.max(request.graceMs, watch.look() + LEAST_ESCAPEE_GRACE_MS);
  await until(gone, stop, { ms, patience: request.impatience });
  const allGone = (): boolean => {
    // what runs away while it is killed is followed: its children carry the token as well, and come to us
    escapees.noteStrays();
    if (gone()) return true;
    escapees.signal('SIGKILL');
    return false;
  };
  if (await until(allGone, stop, { ms: watch.look() + AFTER_KILL_MS })) return [];
  return escapees.remaining();
}

/** Looks until `condition` holds. False when the stop's watch shows `ms`, or when patience has run out. */
async function until(
  condition: () => boolean,
  stop: Stop,
  limit: { ms: number; patience?: AbortSignal },
): Promise<boolean> {
  for (let look = SHORTEST_LOOK_MS; !condition(); look = Math.min(look * 1.5, LONGEST_LOOK_MS)) {
    if (limit.patience?.aborted || stop.watch.look() >= limit.ms) return false;
    await pause(stop.system.clock, look, limit.patience);
  }
  return true;
}
