import { readFileSync } from 'node:fs';
import { bootId } from './boot.ts';

/** One process as the kernel describes it. */
export interface ProcessStat {
  readonly pid: number;
  readonly ppid: number;
  /** Process group. */
  readonly pgid: number;
  readonly session: number;
  /** One letter: R, S, D, T, Z … */
  readonly state: string;
  /** `<boot id>:<clock ticks>`: with the pid it names a process for ever. */
  readonly start: string;
}

/** Reads `/proc/<pid>/stat` (Linux); null when there is no such process. Zombies are there, with state Z. */
export function readProcessStat(pid: number): ProcessStat | null {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'latin1'), bootId());
  } catch {
    return null;
  }
}

/** Parses the line of `/proc/<pid>/stat`. The command in it may hold spaces and brackets, so fields count from the last `)`. */
export function parseProcessStat(line: string, boot: string): ProcessStat | null {
  const pid = Number.parseInt(line, 10);
  // state is field 3, so field n stands at n - 3
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, ppid, pgid, session] = fields;
  const ticks = fields[19];
  if (!state || ticks === undefined || !Number.isSafeInteger(pid)) return null;
  return { pid, ppid: Number(ppid), pgid: Number(pgid), session: Number(session), state, start: `${boot}:${ticks}` };
}

/** Whether a process in this state has ended: what is left of it waits only to be reaped. */
export function hasEnded(state: string): boolean {
  return state === 'Z' || state === 'X' || state === 'x';
}

/** Whether a signal or a debugger holds a process in this state still. */
export function isSuspended(state: string): boolean {
  return state === 'T' || state === 't';
}
