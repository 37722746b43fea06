import { closeSync, fstatSync, writeSync } from 'node:fs';
import { UsageError } from '../names/usage-error.ts';
import { VARIABLE } from '../names/variables.ts';
import { errnoOf } from '../values/errors.ts';
import { type OutChannel, settleWithin } from './out-channel.ts';

/** What waits while the pipe is full; a supervisor that reads nothing for this long has given us up. */
const MAX_PENDING_BYTES = 65_536;
const RETRY_MS = 20;

/** What the channel needs of the file system; injected so that full and partial writes can be tested. */
export interface FdCalls {
  readonly write: (fd: number, bytes: Buffer) => number;
  readonly close: (fd: number) => void;
}

const SYSTEM_CALLS: FdCalls = { write: (fd, bytes) => writeSync(fd, bytes), close: closeSync };

/**
 * Writes whole records to an inherited pipe or socket, at once where it takes them. A full non-blocking descriptor gets
 * the rest later, in order; one in blocking mode blocks when its reader has left 64 KiB unread. A descriptor that nobody
 * reads any more is given up silently. Throws UsageError when the descriptor is not open.
 */
export function openFdChannel(fd: number, calls: FdCalls = SYSTEM_CALLS): OutChannel {
  refuseClosed(fd);
  let pending: Buffer[] = [];
  let open = true;
  let retry: NodeJS.Timeout | null = null;

  function giveUp(): void {
    if (!open) return;
    open = false;
    pending = [];
    if (retry !== null) clearTimeout(retry);
    try {
      calls.close(fd);
    } catch {
      // closed behind our back: nothing is left to close
    }
  }

  function flush(): void {
    while (open) {
      const first = pending[0];
      if (first === undefined) return;
      const outcome = tryWrite(fd, first, calls);
      if (outcome === 'closed') giveUp();
      else if (outcome === 'full') {
        retryLater();
        return;
      } else if (outcome < first.length) pending[0] = first.subarray(outcome);
      else pending.shift();
    }
  }

  function retryLater(): void {
    if (retry !== null) clearTimeout(retry);
    retry = setTimeout(flush, RETRY_MS).unref();
  }

  function write(line: string): void {
    if (!open) return;
    pending.push(Buffer.from(line));
    flush();
    if (pending.reduce((sum, part) => sum + part.length, 0) > MAX_PENDING_BYTES) giveUp();
  }

  async function close(timeoutMs: number): Promise<void> {
    await settleWithin(timeoutMs, RETRY_MS, () => {
      flush();
      return pending.length === 0;
    });
    giveUp();
  }

  return { write, close };
}

function tryWrite(fd: number, bytes: Buffer, calls: FdCalls): number | 'full' | 'closed' {
  for (;;) {
    try {
      return calls.write(fd, bytes);
    } catch (error) {
      const code = errnoOf(error);
      if (code === 'EINTR') continue;
      return code === 'EAGAIN' || code === 'EWOULDBLOCK' ? 'full' : 'closed';
    }
  }
}

function refuseClosed(fd: number): void {
  try {
    fstatSync(fd);
  } catch {
    throw new UsageError(
      `${VARIABLE.eventFd} says ${fd}, but no descriptor ${fd} is open here; ` +
        'a wrapper between woods-watch and this command does not pass descriptors on',
    );
  }
}
