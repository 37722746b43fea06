import { hostname } from 'node:os';
import { errnoOf } from '../values/errors.ts';
import { bootId } from './boot.ts';
import { hasEnded, isSuspended, readProcessStat } from './process-stat.ts';

/**
 * Looks a process up; null when there is none, or only a zombie. `start` is empty where it cannot be known; `suspended`: it is
 * there and does nothing until it is continued.
 */
export type ProcessProbe = (pid: number) => { readonly start: string; readonly suspended?: boolean } | null;

/** `<boot id>:<clock ticks>` of a living process, or null: no such process, or a system that does not say. */
export function processStart(pid: number): string | null {
  return probeProcess(pid)?.start || null;
}

export const probeProcess: ProcessProbe = (pid) => {
  if (!Number.isSafeInteger(pid) || pid < 1) return null;
  const stat = readProcessStat(pid);
  if (stat !== null) return hasEnded(stat.state) ? null : { start: stat.start, suspended: isSuspended(stat.state) };
  // No /proc, or one that hides the processes of others (hidepid): existence is all there is.
  return exists(pid) ? { start: '' } : null;
};

export interface SelfIdentity {
  readonly pid: number;
  readonly start: string | null;
  readonly host: string;
  /** Empty where the kernel does not say. */
  readonly boot: string;
}

/** This process, as records and status files name it. */
export function selfIdentity(): SelfIdentity {
  return { pid: process.pid, start: processStart(process.pid), host: hostname(), boot: bootId() };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}
