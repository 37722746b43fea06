import type { SupervisorStatus } from '@woods/protocol';
import type { Projection } from '../states/projection.ts';

/** Who writes: the same in all records of one supervisor. */
export interface Author {
  readonly launcher: string;
  readonly pid: number;
  /** Start of this process, so that a later one with its number is not taken for it; null when not known. */
  readonly pidStarted: string | null;
  readonly host: string;
}

/** What a supervisor says of itself at `now`. `retry_at` is wall time, for showing. */
export function statusRecord(
  author: Author,
  said: { projection: Projection; attempt: string; retryAt: Date | null },
  now: Date,
): SupervisorStatus {
  const { state, reason, pid } = said.projection;
  return {
    version: 1,
    launcher: author.launcher,
    pid: author.pid,
    pid_started: author.pidStarted,
    host: author.host,
    updated_at: now.toISOString(),
    state,
    reason,
    attempt: said.attempt,
    child_pid: pid,
    ...(said.retryAt === null ? {} : { retry_at: said.retryAt.toISOString() }),
  };
}
