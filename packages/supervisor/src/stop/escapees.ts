import type { Leader } from './group.ts';
import type { Processes, ProcessFacts } from './processes.ts';
import type { Signaller, TreeSignal } from './signaller.ts';

/** Processes of an attempt that left its group (setsid, double fork, nohup). Each is known by pid and start. */
export interface Escapees {
  /**
   * Looks for living descendants outside the group. To be asked before a signal is sent: once a parent has ended, its
   * children are adopted, and where that is not by us their descent can no longer be seen.
   */
  noteDescendants(): void;
  /** Looks for what carries the token, and for what lost its parent and came to us, with all below it. */
  noteStrays(): void;
  /** Those that still live. */
  remaining(): readonly number[];
  signal(signal: TreeSignal): void;
}

export function trackEscapees(
  attempt: { leader: Leader | null; token: string },
  system: { processes: Processes; signaller: Signaller; ownPid: number; adopted: () => readonly number[] },
): Escapees {
  const { processes, signaller } = system;
  const noted = new Map<number, string>();

  function note(found: readonly ProcessFacts[]): void {
    if (found.length === 0) return;
    const spared = ownLine(processes, system.ownPid);
    for (const { pid, start } of found) if (!spared.has(pid)) noted.set(pid, start);
  }

  function remaining(): number[] {
    for (const [pid, start] of noted) if (processes.find(pid)?.start !== start) noted.delete(pid);
    return [...noted.keys()];
  }

  const isOutside = ({ pgid }: ProcessFacts): boolean => pgid !== attempt.leader?.pid;

  function noteAdopted(): void {
    const adopted = system.adopted();
    if (adopted.length === 0) return;
    const all = processes.all();
    note(all.filter(({ pid }) => adopted.includes(pid)).filter(isOutside));
    for (const pid of adopted) note(descendants(all, pid).filter(isOutside));
  }

  return {
    noteDescendants() {
      const { leader } = attempt;
      if (leader !== null) note(descendants(processes.all(), leader.pid).filter(isOutside));
    },
    noteStrays() {
      note(processes.withToken(attempt.token).flatMap((pid) => processes.find(pid) ?? []));
      noteAdopted();
    },
    remaining,
    signal(signal) {
      for (const pid of remaining()) signaller.process(pid, signal);
    },
  };
}

/** We and our ancestors are never signalled, whatever an environment says. */
function ownLine(processes: Processes, ownPid: number): Set<number> {
  const line = new Set([1]);
  for (let pid = ownPid; pid > 1 && !line.has(pid); ) {
    line.add(pid);
    pid = processes.find(pid)?.ppid ?? 1;
  }
  return line;
}

function descendants(all: readonly ProcessFacts[], ancestor: number): ProcessFacts[] {
  const children = new Map<number, ProcessFacts[]>();
  for (const found of all) children.set(found.ppid, [...(children.get(found.ppid) ?? []), found]);
  const found: ProcessFacts[] = [];
  const open = [ancestor];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const child of children.get(pid) ?? []) {
      found.push(child);
      open.push(child.pid);
    }
  }
  return found;
}
