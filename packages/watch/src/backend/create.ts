import { UsageError } from '@woods/protocol';
import type { Backend, BackendName } from './backend.ts';
import { openPolling, type PollingOptions } from './polling.ts';

export interface BackendOptions extends PollingOptions {
  /** 'auto' takes the best that works for the root. */
  readonly choice: 'auto' | BackendName;
}

export interface ChosenBackend {
  readonly backend: Backend;
  /** One line for the user when it is not the backend that he could expect; null when it is. */
  readonly warning: string | null;
}

/**
 * The backend to watch a tree with, not yet started.
 * @throws UsageError for a backend that was asked for by name and cannot be had
 */
export async function createBackend({ choice, ...options }: BackendOptions): Promise<ChosenBackend> {
  if (choice === 'inotify' || choice === 'fsevents') {
    throw new UsageError(
      `--backend ${choice} is not in this version of woods; use --backend polling, or auto to let woods choose`,
    );
  }
  const backend = openPolling(options);
  const availability = await backend.available();
  if (!availability.ok) throw new UsageError(`cannot watch: ${availability.reason}`);
  return { backend, warning: null };
}
