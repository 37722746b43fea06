/** How the worker is, and what the status file and the lifecycle record say of it. Pure. */
import type { HeldFile } from '@woods/index';
import type { ChildEvent } from '@woods/protocol';

/** Why the worker is not simply running. Each has its recovery, named in the daemon's README. */
export type TroubleReason =
  | 'catching_up'
  | 'catch_up_disabled'
  | 'contended'
  | 'extraction_failed'
  | 'publish_failed'
  | 'thread_died'
  | 'held'
  | 'restart_required'
  | 'backend_failed';

export interface Trouble {
  readonly reason: TroubleReason;
  /** One line for a person: file, cause, and what happens next; never file contents. */
  readonly message: string;
}

interface LastRun {
  /** Files that were recorded again or removed. */
  readonly count: number;
  readonly durationMs: number;
}

export interface Condition {
  readonly trouble: Trouble | null;
  /** Number of the published generation; null: none yet. */
  readonly generation: number | null;
  /** The tree has been compared with the index since this worker started. */
  readonly caughtUp: boolean;
  readonly held: readonly HeldFile[];
  /** Paths that are owed; `all`: the whole tree. */
  readonly pending: number | 'all';
  readonly lastRun: LastRun | null;
  /** The last trouble, kept after it is over. */
  readonly lastError: string | null;
}

export type Startup = Extract<ChildEvent, { event: 'startup' }>;

/** `ready` means covered: caught up, published, and nothing known to be wrong. */
export function startupRecord(condition: Condition): Startup {
  const generation = condition.generation ?? 0;
  const reason = startupReason(condition, generation);
  return { event: 'startup', state: reason === 'reconciled' ? 'ready' : 'degraded', generation, reason };
}

function startupReason(condition: Condition, generation: number): Startup['reason'] {
  switch (condition.trouble?.reason) {
    case undefined:
      if (generation === 0) return 'no_index';
      return condition.caughtUp ? 'reconciled' : 'pending_work';
    case 'restart_required':
      return 'restart_required';
    case 'catch_up_disabled':
      return 'catch_up_disabled';
    case 'contended':
    case 'held':
    case 'catching_up':
      return 'pending_work';
    case 'extraction_failed':
    case 'publish_failed':
    case 'thread_died':
    case 'backend_failed':
      if (generation === 0) return 'no_index';
      return condition.caughtUp ? 'pending_work' : 'startup_failed';
  }
}

/** Names every held file up to three, and how many more there are. */
export function heldTrouble(held: readonly HeldFile[]): Trouble {
  const named = held.slice(0, 3).map(({ path, line, reason }) => `${path}:${line} ${reason}`);
  const more = held.length > 3 ? `; and ${held.length - 3} more` : '';
  return {
    reason: 'held',
    message: `the last good record is kept for what does not parse: ${named.join('; ')}${more}`,
  };
}
