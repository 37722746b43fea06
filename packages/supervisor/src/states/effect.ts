import type { StopSignal } from './state.ts';

/** How this process ends: as if the signal had struck it (or 0 for TERM), or with a code of its own. */
export type Ending =
  | { readonly by: 'signal'; readonly signal: StopSignal }
  | { readonly by: 'code'; readonly code: number };

/** One line for whoever watches: `event` names it for programs, `text` says it to people. */
export interface Line {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly text: string;
  readonly fields?: Readonly<Record<string, string | number | null>>;
}

export type Timer = 'boot' | 'leave' | 'retry';

/** What a transition wants done. Carried out in order, after the transition, by `run/effects.ts`. */
export type Effect =
  /** Retire the old status record, make a fresh token and arm the guardian with it: leads to armed or arm_failed. */
  | { readonly do: 'open_attempt' }
  /** Leads to spawned or spawn_failed. */
  | { readonly do: 'spawn' }
  /** Stop what is left of the attempt's tree and sweep: leads to tree_gone. */
  | { readonly do: 'stop_tree' }
  /** End a stop under way by SIGKILL. */
  | { readonly do: 'kill_tree' }
  | { readonly do: 'start_timer'; readonly timer: Timer; readonly ms: number }
  | { readonly do: 'stop_timer'; readonly timer: Timer }
  /** From here on the status file lies beside this index. */
  | { readonly do: 'adopt_index'; readonly index: string }
  | { readonly do: 'refresh_status' }
  | { readonly do: 'notify_ready' }
  | { readonly do: 'say'; readonly line: Line }
  | { readonly do: 'finish'; readonly ending: Ending };
