import { constants } from 'node:os';
import { callError } from '../library/c-library.ts';
import { libc } from '../library/libc.ts';

const WNOHANG = 1;

/**
 * `waitpid(2)` for one child that has ended, without ever waiting; its status is dropped. True when it is gone by now, false
 * while it lives. Never for a process that Node started: Node would wait for its status for ever.
 * Throws PosixUnavailable without koffi.
 */
export function reap(pid: number): boolean {
  const c = libc();
  const found = c.waitpid(pid, null, WNOHANG);
  if (found !== -1) return found === pid;
  const errno = c.errno();
  if (errno === constants.errno.ECHILD) return true;
  throw callError('waitpid', errno);
}
