import { flockSupport } from '@woods/posix';
import { fileSystemOf } from '../file-system.ts';
import type { Backend } from './backend.ts';
import type { WatcherOptions } from './inotify/watcher.ts';
import type { PollerOptions } from './poller.ts';
import { rootIdentity } from './root.ts';
import { openThreadBackend } from './thread-backend.ts';
import type { Control } from './thread-messages.ts';

export interface InotifyStart {
  readonly options: WatcherOptions;
  readonly control: Control;
}

export interface InotifyOptions extends PollerOptions {
  /** Milliseconds between two scans that prove that nothing was missed. */
  readonly verifyMs?: number;
}

/** A scan takes a quarter of a second in 50,000 files. */
const VERIFY_MS = 600_000;

/** Linux: the kernel tells which directories change, and a thread of its own reads that without ever falling behind. */
export function openInotifyBackend({
  verifyMs = VERIFY_MS,
  root,
  indexDir,
  include,
  exclude,
  extra,
}: InotifyOptions): Backend {
  return openThreadBackend({
    name: 'inotify',
    available: async () => {
      if (process.platform !== 'linux') return { ok: false, reason: 'inotify is only on Linux' };
      if (rootIdentity(root) === null) return { ok: false, reason: `${root} is not a directory that can be reached` };
      const support = flockSupport();
      if (!support.ok) return support;
      const on = fileSystemOf(root);
      return on.kind === 'shared'
        ? { ok: false, reason: `${root} is on ${on.name}, where the kernel is not told what others write` }
        : { ok: true };
    },
    workerData: (control): InotifyStart => ({
      options: { root, indexDir, include, exclude, extra, verifyMs },
      control,
    }),
    lagMs: () => null,
  });
}
