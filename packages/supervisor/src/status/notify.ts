import { closeSync, constants, fstatSync, readdirSync, readFileSync, readlinkSync, writeSync } from 'node:fs';
import { UsageError } from '@woods/protocol';

/**
 * Readiness as s6 has it: one newline on the descriptor that the owner gave us, at the first `ready`, then it is closed.
 * Throws UsageError when the descriptor is not open; afterwards nothing throws.
 */
export function prepareNotification(fd: number | null): () => void {
  if (fd === null) return () => {};
  if (!isOwners(fd)) {
    throw new UsageError(
      `--notify-fd ${fd}: descriptor ${fd} is not open for writing; open it in the shell, as in \`${fd}>ready\``,
    );
  }
  let done = false;
  return () => {
    if (done) return;
    done = true;
    try {
      writeSync(fd, '\n');
      closeSync(fd);
    } catch {
      // who asked to be told has left
    }
  };
}

/**
 * Whether it was open when we were started. Node opens descriptors of its own for events and signals, which answer like
 * any other; to write to one and close it would break us at the moment of success.
 */
function isOwners(fd: number): boolean {
  try {
    fstatSync(fd);
  } catch {
    return false;
  }
  const target = targetOf(fd);
  if (target === null) return true;
  // such as one of /dev/null: what cannot be written to was not meant either
  if (!isWritable(fd)) return false;
  if (target.startsWith('anon_inode:')) return false;
  return !target.startsWith('pipe:') || !readEnds(target).some((end) => end >= FIRST_OF_NODE && end !== fd);
}

/** Below are standard input, output and error. */
const FIRST_OF_NODE = 3;
const O_ACCMODE = 0o3;

/** Our descriptors that read from `pipe`: Node holds both ends of its own. */
function readEnds(pipe: string): number[] {
  const open = readdirSync('/proc/self/fd').map(Number);
  return open.filter((fd) => targetOf(fd) === pipe && !isWritable(fd));
}

function isWritable(fd: number): boolean {
  const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? '0';
  return (Number.parseInt(flags, 8) & O_ACCMODE) !== constants.O_RDONLY;
}

/** What the kernel says that a descriptor stands for; null where it says nothing. */
function targetOf(fd: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
}
