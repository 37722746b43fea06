import type { Processes, ProcessFacts } from '../../../packages/supervisor/src/stop/processes.ts';
import type { Signaller, TreeSignal } from '../../../packages/supervisor/src/stop/signaller.ts';

/** A process that exists only on paper. */
export interface FakeProcess extends ProcessFacts {
  readonly token?: string;
  /** It lost its parent and became our child. */
  readonly adopted?: boolean;
  readonly ignoresTerm?: boolean;
  /** Hangs in the kernel: not even KILL ends it. */
  readonly unkillable?: boolean;
}

/** A machine on paper: processes that die of signals, and a record of every signal that was sent. */
export interface FakeMachine {
  readonly processes: Processes;
  readonly signaller: Signaller;
  /** As `TERM -100` for a group and `KILL 101` for a process. */
  readonly sent: readonly string[];
  /** Children of ours that we did not start. */
  adopted(): readonly number[];
  add(process: FakeProcess): void;
  remove(pid: number): void;
  living(): number[];
}

export function createFakeMachine(initial: readonly FakeProcess[]): FakeMachine {
  const table = new Map(initial.map((process) => [process.pid, process]));
  const sent: string[] = [];

  function strike(pid: number, signal: TreeSignal): void {
    const target = table.get(pid);
    if (target === undefined || target.unkillable) return;
    if (signal === 'SIGKILL' || (signal === 'SIGTERM' && !target.ignoresTerm)) table.delete(pid);
  }

  function pidsWhere(condition: (process: FakeProcess) => boolean): number[] {
    return [...table.values()].filter(condition).map(({ pid }) => pid);
  }

  return {
    processes: {
      find: (pid) => table.get(pid) ?? null,
      all: () => [...table.values()],
      inGroup: (pgid) => pidsWhere((process) => process.pgid === pgid),
      withToken: (token) => pidsWhere((process) => process.token === token),
    },
    signaller: {
      process(pid, signal) {
        sent.push(`${signal.slice(3)} ${pid}`);
        strike(pid, signal);
      },
      group(pgid, signal) {
        sent.push(`${signal.slice(3)} -${pgid}`);
        for (const pid of pidsWhere((process) => process.pgid === pgid)) strike(pid, signal);
      },
    },
    sent,
    adopted: () => pidsWhere((process) => process.adopted === true),
    add: (process) => void table.set(process.pid, process),
    remove: (pid) => void table.delete(pid),
    living: () => [...table.keys()],
  };
}
