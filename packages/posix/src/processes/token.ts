import { readFileSync } from 'node:fs';
import { hasEnded, OUTER_ATTEMPT_PREFIX, VARIABLE } from '@woods/protocol';
import { processIds, readProcess } from './table.ts';

/**
 * Processes that were started with this attempt token in their environment, wherever they have gone since (Linux); also
 * by a supervisor that was nested in the attempt.
 * Includes the caller when it carries the token itself. Processes of other users, whose environment cannot be read, and
 * those that have ended are left out.
 */
export function processesWithToken(token: string): number[] {
  const entries = [`${VARIABLE.attemptToken}=${token}`, `${OUTER_ATTEMPT_PREFIX}${token}=1`];
  return processIds().filter((pid) => carries(pid, entries) && isLiving(pid));
}

function carries(pid: number, entries: readonly string[]): boolean {
  try {
    // entries are separated by NUL; the first has none before it
    const environment = `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`;
    return entries.some((entry) => environment.includes(`\0${entry}\0`));
  } catch {
    return false;
  }
}

function isLiving(pid: number): boolean {
  const info = readProcess(pid);
  return info !== null && !hasEnded(info.state);
}
