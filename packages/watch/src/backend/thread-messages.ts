import type { Pass, PollerOptions } from './poller.ts';

/** What the polling thread is started with. */
export interface PollingStart {
  readonly options: PollerOptions;
  /** Shortest time between two scans, milliseconds. */
  readonly intervalMs: number;
  /** Two 32-bit words that both sides share: see `ORDER` and `LAG`. */
  readonly control: SharedArrayBuffer;
}

/** Word that the starter sets: `RUN`, or `STOP` with a notification. */
export const ORDER = 0;
/** Word that the thread sets after each scan: milliseconds until the next one will have ended. */
export const LAG = 1;
export const WORDS = 2;

export const RUN = 0;
export const STOP = 1;

/** From the thread: the first scan is done; a pass found something. */
export type PollingMessage = { readonly kind: 'ready' } | { readonly kind: 'pass'; readonly pass: Pass };
