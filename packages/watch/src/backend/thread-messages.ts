import type { Pass, PollerOptions } from './poller.ts';

/** What the polling thread is started with. */
export interface PollingStart {
  readonly options: PollerOptions;
  /** Shortest time between two scans, milliseconds. */
  readonly intervalMs: number;
  /** One 32-bit word that both sides share: `RUN`, or `STOP` with a notification. */
  readonly control: SharedArrayBuffer;
}

export const RUN = 0;
export const STOP = 1;

/** From the thread: the first scan is done; a pass found something. */
export type PollingMessage = { readonly kind: 'ready' } | { readonly kind: 'pass'; readonly pass: Pass };
