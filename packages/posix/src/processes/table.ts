/** The process table, as Linux shows it under /proc. Elsewhere it is empty. */
import { readdirSync } from 'node:fs';
import { hasEnded, type ProcessStat, readProcessStat } from '@woods/protocol';

export type ProcessInfo = ProcessStat;

/** One process, zombies included (state Z); null when there is none. */
export function readProcess(pid: number): ProcessInfo | null {
  return readProcessStat(pid);
}

/** Every process that can be seen, zombies included. One that ends meanwhile is left out. */
export function listProcesses(): ProcessInfo[] {
  return processIds().flatMap((pid) => readProcess(pid) ?? []);
}

/** Members of a process group that have not ended: a zombie answers signals, but is none. */
export function groupMembers(pgid: number): number[] {
  return listProcesses().flatMap(({ pid, pgid: group, state }) => (group === pgid && !hasEnded(state) ? [pid] : []));
}

/** Numbers of all processes that can be seen. */
export function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => Number.isSafeInteger(pid) && pid > 0);
  } catch {
    return [];
  }
}
