import { existsSync } from 'node:fs';
import { kill } from 'node:process';
import { groupMembers, listProcesses, processesWithToken, readProcess } from '@woods/posix';
import { errnoOf, hasEnded } from '@woods/protocol';

/** What stopping needs to know of a process. `start` tells it from a later one with the same number. */
export interface ProcessFacts {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly start: string;
}

/** The processes of this machine, zombies left out: they have ended, whatever kill(2) says of them. */
export interface Processes {
  find(pid: number): ProcessFacts | null;
  all(): readonly ProcessFacts[];
  inGroup(pgid: number): readonly number[];
  withToken(token: string): readonly number[];
}

const throughProc: Processes = {
  find(pid) {
    const found = readProcess(pid);
    return found === null || hasEnded(found.state) ? null : found;
  },
  all: () => listProcesses().filter((found) => !hasEnded(found.state)),
  // the kernel knows at once that a group has no member at all; only zombies need the walk over all processes
  inGroup: (pgid) => (groupExists(pgid) ? groupMembers(pgid) : []),
  withToken: processesWithToken,
};

/** Without /proc only the group itself can be asked for, zombies included. */
const throughSignals: Processes = {
  find: () => null,
  all: () => [],
  inGroup: (pgid) => (groupExists(pgid) ? [pgid] : []),
  withToken: () => [],
};

export const HAS_PROC = existsSync('/proc/self/stat');
export const systemProcesses: Processes = HAS_PROC ? throughProc : throughSignals;

function groupExists(pgid: number): boolean {
  try {
    return kill(-pgid, 0);
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}

/** The clock ticks in a start that may name its boot before them, as `<boot>:<ticks>`; '' when not known. */
export function ticksOf(start: string | null): string {
  return start === null ? '' : start.slice(start.lastIndexOf(':') + 1);
}
