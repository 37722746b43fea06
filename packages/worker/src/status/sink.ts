/** Keeps `watch_status.json` as the last condition has it: at each change, and as a heartbeat that proves the process lives. */
import { errnoOf, type selfIdentity, writeWatchStatus } from '@woods/protocol';
import type { Condition } from './condition.ts';
import { type WatchedBy, watchStatus } from './file.ts';

export interface StatusSink {
  backend(watchedBy: WatchedBy): void;
  show(condition: Condition): void;
  /** The last word: `stopped`; nothing is written afterwards. */
  stopped(): void;
  /** Ends the heartbeat, and leaves the file as it is. */
  close(): void;
}

export const HEARTBEAT_MS = 300_000;

/** A status that cannot be written ends nothing; `say` gets one line a cause. */
export function openStatusSink(
  indexDir: string,
  self: ReturnType<typeof selfIdentity>,
  say: (line: string) => void,
): StatusSink {
  let last: Condition | null = null;
  let backend: WatchedBy | null = null;
  let complaint = '';
  let closed = false;
  const heartbeat = setInterval(() => write('alive'), HEARTBEAT_MS);
  heartbeat.unref();

  function write(life: 'alive' | 'stopped'): void {
    if (last === null || closed) return;
    try {
      writeWatchStatus(indexDir, watchStatus(last, { life, self, backend, now: new Date() }));
      complaint = '';
    } catch (error) {
      const cause = errnoOf(error) ?? String(error);
      if (cause !== complaint)
        say(`watch_status.json cannot be written (${cause}): watch-status will call this worker dead`);
      complaint = cause;
    }
  }

  function close(): void {
    clearInterval(heartbeat);
    closed = true;
  }

  return {
    backend: (watchedBy) => {
      backend = watchedBy;
    },
    show: (condition) => {
      last = condition;
      write('alive');
    },
    stopped: () => {
      write('stopped');
      close();
    },
    close,
  };
}
