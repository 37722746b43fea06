import { fstatSync, readdirSync, readFileSync } from 'node:fs';
import { callError } from '../library/c-library.ts';
import { libc } from '../library/libc.ts';

const F_SETFD = 2;
const FD_CLOEXEC = 1;
/** Linux only, where it is the same on all architectures that Node runs on. */
const O_CLOEXEC = 0o2000000;

/** The kernel lists our open descriptors in one of these. */
const LISTINGS = ['/proc/self/fd', '/dev/fd'];

/**
 * Sets close-on-exec on every open descriptor numbered `from` or higher, and closes none: some are Node's own. What is
 * passed to a child on purpose is not affected. Returns how many there are.
 * Throws PosixUnavailable without koffi, and a system error when descriptors cannot be listed.
 */
export function setCloseOnExec(options: { from: number }): number {
  // the descriptor that the listing itself was read from is closed by now
  const wanted = listDescriptors().filter((fd) => fd >= options.from && isOpen(fd));
  for (const fd of wanted) {
    // most are so already, which costs no native library to see
    if (isCloseOnExec(fd)) continue;
    const c = libc();
    if (c.fcntl(fd, F_SETFD, 'int', FD_CLOEXEC) === -1) throw callError('fcntl', c.errno());
  }
  return wanted.length;
}

function isOpen(fd: number): boolean {
  try {
    fstatSync(fd);
    return true;
  } catch {
    return false;
  }
}

/** What Linux says of a descriptor; false where nothing tells. */
function isCloseOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & O_CLOEXEC) !== 0;
  } catch {
    return false;
  }
}

function listDescriptors(): number[] {
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
