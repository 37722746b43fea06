import type { Processes } from './processes.ts';
import type { Signaller, TreeSignal } from './signaller.ts';

/** The process that leads the group and session of an attempt. `start` is null where the system does not tell it. */
export interface Leader {
  readonly pid: number;
  readonly start: string | null;
}

/** A process group that is never signalled again once it was seen empty: its number may be somebody else's by then. */
export interface Group {
  isEmpty(): boolean;
  signal(signal: TreeSignal): void;
}

export function watchGroup(leader: Leader, system: { processes: Processes; signaller: Signaller }): Group {
  let seenEmpty = false;

  function isEmpty(): boolean {
    seenEmpty ||= !leaderLives() && (isReused() || system.processes.inGroup(leader.pid).length === 0);
    return seenEmpty;
  }

  /** It cannot leave a group that it leads; as long as it lives, the walk over all processes has nothing to tell. */
  function leaderLives(): boolean {
    return leader.start !== null && system.processes.find(leader.pid)?.start === leader.start;
  }

  /** A leader that has ended leaves its number to the group; a later process of that number means that the group ended. */
  function isReused(): boolean {
    const found = system.processes.find(leader.pid);
    return found !== null && leader.start !== null && found.start !== leader.start;
  }

  return {
    isEmpty,
    signal(signal) {
      if (!isEmpty()) system.signaller.group(leader.pid, signal);
    },
  };
}
