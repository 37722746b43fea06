import { closeSync, mkdirSync, openSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { openInotify } from '@woods/posix';
import { encodePath } from '../../bytes/path.ts';

/** Events come in microseconds where they come at all. */
const PROBE_MS = 1_000;

/**
 * Makes and removes a file in `directory` (absolute, text; made if it is not there) and waits for the event of it: on
 * some file systems watches succeed and nothing ever comes. Null when it came, else why not. @throws a system error
 */
export function probeEvents(directory: string): string | null {
  const inotify = openInotify();
  try {
    mkdirSync(directory, { recursive: true });
    const added = inotify.watch(encodePath(directory));
    if ('error' in added) return `${directory} cannot be watched (${added.error})`;
    const name = `.watch-probe-${process.pid}`;
    closeSync(openSync(join(directory, name), 'w', 0o600));
    unlinkSync(join(directory, name));
    const deadline = performance.now() + PROBE_MS;
    for (let left = PROBE_MS; left > 0; left = deadline - performance.now()) {
      let seen = false;
      inotify.wait(left);
      inotify.drain((event) => {
        seen ||= event.name === name;
      });
      if (seen) return null;
    }
    return `a file was made in ${directory}, and no event of it came within ${PROBE_MS} ms`;
  } finally {
    inotify.close();
  }
}
