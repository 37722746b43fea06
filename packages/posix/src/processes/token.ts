import { readFileSync } from 'node:fs';
import { hasEnded, VARIABLE } from '@woods/protocol';
import { processIds, readProcess } from './table.ts';

/**
 * Processes that were started with this attempt token in their environment, wherever they have gone since (Linux).
 * Includes the caller when it carries the token itself. Processes of other users, whose environment cannot be read, and
 * those that have ended are left out.
 */
export function processesWithToken(token: string): number[] {
  const entry = `${VARIABLE.attemptToken}=${token}`;
  return processIds().filter((pid) => carries(pid, entry) && isLiving(pid));
}

function carries(pid: number, entry: string): boolean {
  try {
    // entries are separated by NUL; the first has none before it
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`.includes(`\0${entry}\0`);
  } catch {
    return false;
  }
}

function isLiving(pid: number): boolean {
  const info = readProcess(pid);
  return info !== null && !hasEnded(info.state);
}
