/** The lifecycle events of one attempt: what the child says of itself, and what its owner says of it. */

export const STARTUP_REASONS = [
  'reconciled',
  'startup_failed',
  'pending_work',
  'restart_required',
  'no_index',
  'catch_up_disabled',
] as const;
export type StartupReason = (typeof STARTUP_REASONS)[number];

export const TERMINAL_REASONS = [
  'restart_required',
  'already_running',
  'stopped',
  'idle',
  'unsupported_environment',
] as const;
export type TerminalReason = (typeof TERMINAL_REASONS)[number];

/** Sent by the child, in this order; `startup` again whenever its state or reason changes. */
export type ChildEvent =
  | { readonly event: 'task_loaded'; readonly woods_version: string }
  | { readonly event: 'identity'; readonly root: string; readonly index: string }
  | { readonly event: 'backend_ready' }
  | {
      readonly event: 'startup';
      readonly state: 'ready' | 'degraded';
      readonly generation: number;
      readonly reason: StartupReason;
    }
  | { readonly event: 'terminal'; readonly reason: TerminalReason };

/** Said by supervisor and guardian about the attempt; never travels over the child's channel. */
export type OwnerEvent =
  | { readonly event: 'hello' }
  | { readonly event: 'spawned'; readonly child_pid: number }
  | { readonly event: 'spawn_error'; readonly reason: string }
  /** Exactly one of the two is set. */
  | { readonly event: 'exit'; readonly code: number | null; readonly signal: number | null };

export type ChildEventName = ChildEvent['event'];
export type OwnerEventName = OwnerEvent['event'];
export type EventName = ChildEventName | OwnerEventName;

/** Who sends a record, and in which attempt of which supervisor. */
export interface Envelope {
  readonly launcher: string;
  readonly attempt: string;
  readonly pid: number;
}

export const RECORD_VERSION = 1;

/** The newline counts. */
export const MAX_RECORD_BYTES = 4096;
