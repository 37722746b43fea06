import type { Batch } from './batch.ts';

/** Two 32-bit words that a watching thread and its starter share. */
export type Control = SharedArrayBuffer;

/** Word that the starter sets: `RUN`, or `STOP` with a notification. */
export const ORDER = 0;
export const RUN = 0;
export const STOP = 1;
/** Word that a polling thread sets after each scan: milliseconds until the next one will have ended. */
export const LAG = 1;
export const WORDS = 2;

/**
 * From a watching thread. `ready`: every later change will be told; `wakeFd`, where there is one, is written to when the
 * order has changed. `failed`: nothing more will come, and why.
 */
export type ThreadMessage =
  | { readonly kind: 'ready'; readonly wakeFd: number | null }
  | { readonly kind: 'batch'; readonly batch: Batch }
  | { readonly kind: 'failed'; readonly detail: string };
