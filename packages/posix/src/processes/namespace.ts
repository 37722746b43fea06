import { readlinkSync } from 'node:fs';

/**
 * Whether a process counts pids as we do (Linux). One of a container does not, though we may see it: what was written in
 * there about pids means other processes. False when it cannot be told.
 */
export function sharesPids(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`) === readlinkSync('/proc/self/ns/pid');
  } catch {
    return false;
  }
}
