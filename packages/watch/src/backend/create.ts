import { UsageError } from '@woods/protocol';
import type { Backend, BackendName } from './backend.ts';
import { openFallback } from './fallback.ts';
import { openInotifyBackend } from './inotify.ts';
import { openPolling, type PollingOptions } from './polling.ts';

export interface BackendOptions extends PollingOptions {
  /** 'auto' takes the best that works for the root, and polling when that stops working. */
  readonly choice: 'auto' | BackendName;
  /** One line for a person: why it is not the backend that he could expect. */
  warn(line: string): void;
}

/**
 * The backend to watch a tree with, not yet started.
 * @throws UsageError for a backend that was asked for by name and cannot be had
 */
export async function createBackend({ choice, warn, ...options }: BackendOptions): Promise<Backend> {
  const polling = (): Backend => openPolling(options);
  if (choice === 'fsevents') {
    throw new UsageError(
      '--backend fsevents is not in this version of woods; use --backend polling, or auto to let woods choose',
    );
  }
  const native = process.platform === 'linux' && choice === 'auto';
  const backend = choice === 'inotify' ? openInotifyBackend(options) : polling();
  const availability = await backend.available();
  if (!availability.ok) throw new UsageError(`cannot watch: ${availability.reason}`);
  return native ? openFallback({ native: openInotifyBackend(options), openPolling: polling, warn }) : backend;
}
