import type { StartupReason, TerminalReason } from '@woods/protocol';
import type { StopSignal } from './state.ts';

/** How a child ended: exactly one of the two is a number. */
export interface Exit {
  readonly code: number | null;
  readonly signal: number | null;
}

/** Everything that can happen to a supervisor. Records of a child arrive here only after the validator let them pass. */
export type Event =
  | { readonly name: 'begin' }
  | { readonly name: 'armed' }
  | { readonly name: 'arm_failed'; readonly detail: string }
  | { readonly name: 'spawned'; readonly pid: number }
  | { readonly name: 'spawn_failed'; readonly code: string; readonly detail: string }
  | { readonly name: 'task_loaded'; readonly woodsVersion: string }
  | { readonly name: 'identity'; readonly index: string }
  /** On the index that the child named something runs that a dead supervisor had started. */
  | { readonly name: 'leftovers_found' }
  | { readonly name: 'backend_ready' }
  | {
      readonly name: 'startup';
      readonly state: 'ready' | 'degraded';
      readonly generation: number;
      readonly reason: StartupReason;
    }
  | { readonly name: 'terminal'; readonly reason: TerminalReason }
  | { readonly name: 'refused'; readonly reason: string; readonly detail: string }
  | ({ readonly name: 'exited' } & Exit)
  | { readonly name: 'tree_gone'; readonly left: readonly number[] }
  | { readonly name: 'boot_timeout' }
  /** The child has said its last word and is still there. */
  | { readonly name: 'leave_timeout' }
  | { readonly name: 'retry_due' }
  | { readonly name: 'stop'; readonly signal: StopSignal }
  | { readonly name: 'restart' }
  | { readonly name: 'guardian_replaced' }
  | { readonly name: 'heartbeat' };

export type EventName = Event['name'];
export type EventOf<Name extends EventName> = Extract<Event, { readonly name: Name }>;
