import { closeSync, openSync, readSync } from 'node:fs';
import { hasEnded, OUTER_ATTEMPT_PREFIX, VARIABLE } from '@woods/protocol';
import { processIds, readProcess } from './table.ts';

/**
 * Processes that were started with this attempt token in their environment, wherever they have gone since (Linux); also
 * by a supervisor that was nested in the attempt.
 * Includes the caller when it carries the token itself. Processes of other users, whose environment cannot be read, and
 * those that have ended are left out.
 */
export function processesWithToken(token: string): number[] {
  return processesCarrying([`${VARIABLE.attemptToken}=${token}`, `${OUTER_ATTEMPT_PREFIX}${token}=1`]);
}

/** The same for any of `entries`, each a whole `NAME=VALUE`. */
export function processesCarrying(entries: readonly string[]): number[] {
  // entries are separated by NUL; one is put before the first
  const needles = entries.map((entry) => Buffer.from(`\0${entry}\0`, 'latin1'));
  return processIds().filter((pid) => carries(pid, needles) && isLiving(pid));
}

/** An environment is a few KiB, so that it is read in one go; a larger one makes room for itself and those after it. */
let space = Buffer.alloc(32_768);

/**
 * Reads without a string of it, and with half of the system calls that readFileSync needs: this is done for every process
 * of the machine before each start.
 */
function carries(pid: number, needles: readonly Buffer[]): boolean {
  let fd: number;
  try {
    fd = openSync(`/proc/${pid}/environ`, 'r');
  } catch {
    return false;
  }
  try {
    const length = readInto(fd);
    const environment = space.subarray(0, length);
    return needles.some((needle) => environment.includes(needle));
  } catch {
    return false;
  } finally {
    closeSync(fd);
  }
}

/** Fills `space`, with a NUL before and after; returns the length. */
function readInto(fd: number): number {
  let length = 1;
  for (;;) {
    // room for the NUL behind it is kept
    if (length === space.length - 1) space = Buffer.concat([space, Buffer.alloc(space.length)]);
    const count = readSync(fd, space, length, space.length - 1 - length, null);
    if (count === 0) break;
    length += count;
  }
  space[0] = 0;
  space[length] = 0;
  return length + 1;
}

function isLiving(pid: number): boolean {
  const info = readProcess(pid);
  return info !== null && !hasEnded(info.state);
}
