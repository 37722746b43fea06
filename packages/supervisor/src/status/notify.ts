import { closeSync, fstatSync, writeSync } from 'node:fs';
import { UsageError } from '@woods/protocol';

/**
 * Readiness as s6 has it: one newline on the descriptor that the owner gave us, at the first `ready`, then it is closed.
 * Throws UsageError when the descriptor is not open; afterwards nothing throws.
 */
export function prepareNotification(fd: number | null): () => void {
  if (fd === null) return () => {};
  try {
    fstatSync(fd);
  } catch {
    throw new UsageError(
      `--notify-fd ${fd}: descriptor ${fd} is not open; open it in the shell, as in \`${fd}>ready\``,
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
