/** What the main thread and the index thread say to each other. */
import type { RunResult } from '@woods/index';
import type { ResolvedConfig } from '@woods/protocol';
import type { BootCapture } from '../boot/capture.ts';

export interface ThreadStart {
  readonly root: string;
  readonly indexDir: string;
  readonly config: ResolvedConfig;
}

/** One at a time; each is answered by exactly one reply, with progress before it. */
export type Order =
  | { readonly kind: 'capture' }
  /** Loads the index and its tools, so that the first run does not have to. */
  | { readonly kind: 'open' }
  | { readonly kind: 'update'; readonly paths: readonly string[]; readonly reason: string }
  | { readonly kind: 'reconcile'; readonly reason: string }
  /** Does in a quiet moment what the first change would have to wait for. */
  | { readonly kind: 'prepare' };

export type Progress = { readonly kind: 'progress'; readonly done: number; readonly total: number };

export type Reply =
  | { readonly kind: 'captured'; readonly capture: BootCapture }
  | { readonly kind: 'opened' }
  | { readonly kind: 'prepared' }
  | { readonly kind: 'ran'; readonly result: RunResult }
  /** `message`: one line for a person. */
  | { readonly kind: 'failed'; readonly cause: 'extraction_failed' | 'publish_failed'; readonly message: string };
