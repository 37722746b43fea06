import type { Backend } from './backend.ts';
import type { PollerOptions } from './poller.ts';
import { rootIdentity } from './root.ts';
import { openThreadBackend } from './thread-backend.ts';
import { type Control, LAG } from './thread-messages.ts';

export interface PollingOptions extends PollerOptions {
  /** Shortest time between two scans, milliseconds; a tree that takes long to scan is scanned less often. */
  readonly intervalMs: number;
}

/** What the polling thread is started with. */
export interface PollingStart {
  readonly options: PollerOptions;
  readonly intervalMs: number;
  readonly control: Control;
}

/** Watches by scanning again and again in a thread of its own. Works on every file system; a change is seen one interval later. */
export function openPolling({ intervalMs, root, indexDir, include, exclude, extra }: PollingOptions): Backend {
  return openThreadBackend({
    name: 'polling',
    available: async () =>
      rootIdentity(root) === null
        ? { ok: false, reason: `${root} is not a directory that can be reached` }
        : { ok: true },
    workerData: (control): PollingStart => ({
      options: { root, indexDir, include, exclude, extra },
      intervalMs,
      control,
    }),
    lagMs: (words) => Atomics.load(words, LAG),
  });
}
