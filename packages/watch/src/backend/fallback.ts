/** The native backend as long as it works, and polling from then on. */
import { type Backend, BackendFailure, type BackendName } from './backend.ts';
import type { Batch } from './batch.ts';

export interface FallbackOptions {
  readonly native: Backend;
  openPolling(): Backend;
  /** One line, once: why polling took over. */
  warn(line: string): void;
}

/** What was lost between the last event and the first poll: the tree has to be compared as a whole. */
const LOST: Batch = { paths: new Set(), dirs: new Set(), overflow: true, reason: 'backend-error' };

export function openFallback({ native, openPolling, warn }: FallbackOptions): Backend {
  let current = native;

  async function fallBack(cause: BackendFailure): Promise<void> {
    await native.close();
    const polling = openPolling();
    current = polling;
    await polling.start();
    warn(`${cause.message}; polling instead: changes are seen later, and cost more`);
  }

  return {
    get name(): BackendName {
      return current.name;
    },
    available: async () => {
      const ofNative = await native.available();
      return ofNative.ok ? ofNative : openPolling().available();
    },
    async start() {
      try {
        const available = await native.available();
        if (!available.ok) throw new BackendFailure(native.name, available.reason);
        await native.start();
      } catch (error) {
        if (!(error instanceof BackendFailure) || current !== native) throw error;
        await fallBack(error);
      }
    },
    async wait(timeoutMs) {
      try {
        return await current.wait(timeoutMs);
      } catch (error) {
        if (!(error instanceof BackendFailure) || current !== native) throw error;
        await fallBack(error);
        return LOST;
      }
    },
    lagMs: () => current.lagMs(),
    close: () => current.close(),
  };
}
