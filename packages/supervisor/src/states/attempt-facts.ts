import type { TerminalReason } from '@woods/protocol';
import type { Exit } from './event.ts';

/** What is known of the current attempt. */
export interface AttemptFacts {
  readonly pid: number | null;
  readonly terminal: TerminalReason | null;
  readonly exit: Exit | null;
  /** What a dead supervisor left runs on the child's index. */
  readonly besideLeftovers: boolean;
  readonly reachedReady: boolean;
  /** The current stretch in `ready`: milliseconds counted, and up to when; null while not ready. */
  readonly ready: { readonly ms: number; readonly countedTo: number } | null;
}

/** An attempt of which nothing is known yet. */
export const NEW_ATTEMPT: AttemptFacts = {
  pid: null,
  terminal: null,
  exit: null,
  besideLeftovers: false,
  reachedReady: false,
  ready: null,
};
