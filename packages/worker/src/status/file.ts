/** `watch_status.json`: the condition as its readers get it. */
import type { selfIdentity, WatchStatus } from '@woods/protocol';
import type { Backend } from '@woods/watch';
import type { Condition } from './condition.ts';

/** What the status says of a back end. */
export type WatchedBy = Pick<Backend, 'name' | 'lagMs'>;

export interface StatusFacts {
  readonly life: 'alive' | 'stopped';
  readonly self: ReturnType<typeof selfIdentity>;
  /** The watching back end; null before it is chosen. */
  readonly backend: WatchedBy | null;
  readonly now: Date;
}

/** Held files named one by one; all are counted. */
const MAX_HELD_NAMED = 20;

export function watchStatus(condition: Condition, { life, self, backend, now }: StatusFacts): WatchStatus {
  const { trouble, generation, lastRun, held, pending, lastError } = condition;
  return {
    state: life === 'stopped' ? 'stopped' : trouble === null ? 'running' : 'degraded',
    reason: life === 'stopped' ? null : (trouble?.reason ?? null),
    generation,
    pid: self.pid,
    pid_started: self.start,
    host: self.host,
    updated_at: now.toISOString(),
    detail: {
      message: life === 'stopped' ? null : (trouble?.message ?? null),
      backend: backend?.name ?? null,
      seen_within_ms: backend?.lagMs() ?? null,
      batch: lastRun?.count ?? null,
      duration_ms: lastRun === null ? null : Math.round(lastRun.durationMs * 10) / 10,
      held_count: held.length,
      held: held.slice(0, MAX_HELD_NAMED).map(({ path, line, reason, since }) => ({ path, line, reason, since })),
      pending,
      last_error: lastError,
    },
  };
}
