import { constants } from 'node:os';
import { callError } from '../library/c-library.ts';
import { libc } from '../library/libc.ts';
import { PosixUnavailable } from '../library/unavailable.ts';

export type LockMode = 'shared' | 'exclusive' | 'unlock';

const LOCK_NB = 4;
const OPERATION: Readonly<Record<LockMode, number>> = { shared: 1 | LOCK_NB, exclusive: 2 | LOCK_NB, unlock: 8 };

/**
 * `flock(2)` on an open descriptor, without ever waiting. True when it is done, false when another open file holds the
 * lock. The lock lives until the last copy of the descriptor is closed, so a child that inherits it holds it too.
 * Throws PosixUnavailable without koffi, and a system error for anything else (EBADF, ENOLCK …).
 */
export function flock(fd: number, mode: LockMode): boolean {
  const c = libc();
  const { EINTR, EWOULDBLOCK } = constants.errno;
  for (;;) {
    if (c.flock(fd, OPERATION[mode]) === 0) return true;
    const errno = c.errno();
    if (errno === EWOULDBLOCK) return false;
    if (errno !== EINTR) throw callError('flock', errno);
  }
}

/** Whether `flock` can be called here, and if not, one line for the user. */
export function flockSupport(): { readonly ok: true } | { readonly ok: false; readonly reason: string } {
  try {
    libc();
    return { ok: true };
  } catch (error) {
    if (error instanceof PosixUnavailable) return { ok: false, reason: error.message };
    throw error;
  }
}
