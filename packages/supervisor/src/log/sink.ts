import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { isWritable } from '@woods/posix';

/** Takes a whole line. Never throws and never blocks; a line that cannot be taken now is dropped. */
export type Sink = (text: string) => void;

/**
 * Opens our way to a descriptor that we share with the child and with whoever reads it. It may be closed, full or never
 * read, and none of that may stop supervision, so a write has to fail rather than wait. Setting O_NONBLOCK on the
 * descriptor would set it for the child too, which would then lose output of its own.
 */
export function openSink(fd: number): Sink {
  const kind = kindOf(fd);
  if (kind === 'closed') return () => {};
  if (kind === 'never_waits') return (text) => attempt(() => writeSync(fd, text));
  const own = reopenWithoutWaiting(fd);
  if (own !== null) return (text) => attempt(() => writeSync(own, text));
  return (text) =>
    attempt(() => {
      if (canTake(fd)) writeSync(fd, text);
    });
}

/** A regular file takes a write at once; pipes, sockets and terminals have a reader that may not read. */
function kindOf(fd: number): 'closed' | 'never_waits' | 'may_wait' {
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isSocket() || stats.isCharacterDevice() ? 'may_wait' : 'never_waits';
  } catch {
    return 'closed';
  }
}

/** A description of our own of the same pipe or terminal. Linux only, and not for sockets: null where there is none. */
function reopenWithoutWaiting(fd: number): number | null {
  if (process.platform !== 'linux') return null;
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return null;
  }
}

/** Without the native call nothing can tell; a line that may wait is then better than none at all. */
function canTake(fd: number): boolean {
  try {
    return isWritable(fd);
  } catch {
    return true;
  }
}

function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // gone, full or not read: the line is lost, and nothing else
  }
}
