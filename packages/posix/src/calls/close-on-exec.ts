import { readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { callError, libc } from '../library/libc.ts';

const F_SETFD = 2;
const FD_CLOEXEC = 1;

/** The kernel lists our open descriptors in one of these. */
const LISTINGS = ['/proc/self/fd', '/dev/fd'];

/**
 * Sets close-on-exec on every open descriptor numbered `from` or higher, and closes none: some are Node's own. What is
 * passed to a child on purpose is not affected. Returns how many there are.
 * Throws PosixUnavailable without koffi, and a system error when descriptors cannot be listed.
 */
export function setCloseOnExec(options: { from: number }): number {
  const c = libc();
  let count = 0;
  for (const fd of openDescriptors()) {
    if (fd < options.from) continue;
    if (c.fcntl(fd, F_SETFD, 'int', FD_CLOEXEC) !== -1) count++;
    // the descriptor that the listing itself was read from is closed by now
    else if (c.errno() !== constants.errno.EBADF) throw callError('fcntl', c.errno());
  }
  return count;
}

function openDescriptors(): number[] {
  let failure: unknown = null;
  for (const directory of LISTINGS) {
    try {
      return readdirSync(directory).map(Number).filter(Number.isSafeInteger);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
