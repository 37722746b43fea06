import type { SupervisorStatus } from '@woods/protocol';
import type { Cancel, Clock } from '../clock/clock.ts';
import type { Projection } from '../states/projection.ts';
import { type Author, statusRecord } from './record.ts';

/** Keeps `watch_supervisors/<launcher>.json` as the supervisor is. Nothing here throws. */
export interface StatusJournal {
  /**
   * A new attempt: nothing more is written until an index is known. The record of the old one, if any, says so within
   * 100 ms, and before anything else is written: a disk that takes its time must not hold up the next start.
   */
  retire(attempt: string): void;
  /** From here on the record lies beside `index`. */
  adopt(index: string): void;
  /** The current state; written when it differs from what was written, at most once in 100 ms. */
  publish(projection: Projection): void;
  /** Writes the record again, to show that we are alive. */
  refresh(): void;
  /** Writes at once what is still to be written; nothing is written afterwards. */
  close(): void;
}

export interface JournalOptions {
  readonly author: Author;
  readonly clock: Clock;
  readonly write: (index: string, record: SupervisorStatus) => void;
  /** Removes what dead supervisors left beside the index; asked once for each attempt. */
  readonly sweep: (index: string) => void;
  /** Called with a one-line reason when a write fails after one that did not. */
  readonly onFailure: (reason: string, index: string) => void;
}

const COALESCE_MS = 100;
const RETIRED = { state: 'stopped', reason: 'attempt_finished', pid: null, retryInMs: null } as const;

export function openStatusJournal(options: JournalOptions): StatusJournal {
  const { clock } = options;
  let attempt = '';
  let index: string | null = null;
  let projection: Projection | null = null;
  let retryAt: Date | null = null;
  let written: Projection | null = null;
  let lastWriteAt = Number.NEGATIVE_INFINITY;
  let pending: Cancel | null = null;
  let retirement: Cancel | null = null;
  let retireNow = (): void => {};
  let healthy = true;
  let closed = false;

  function write(said: Projection): void {
    pending?.();
    pending = null;
    if (index === null) return;
    lastWriteAt = clock.now();
    written = said;
    put(index, statusRecord(options.author, { projection: said, attempt, retryAt }, clock.date()));
  }

  function put(place: string, record: SupervisorStatus): void {
    try {
      options.write(place, record);
      healthy = true;
    } catch (error) {
      if (healthy) options.onFailure(error instanceof Error ? error.message : String(error), place);
      healthy = false;
    }
  }

  function retireSoon(place: string): void {
    const record = statusRecord(options.author, { projection: RETIRED, attempt, retryAt: null }, clock.date());
    retireNow = () => {
      retirement?.();
      retireNow = () => {};
      put(place, record);
    };
    retirement = clock.after(COALESCE_MS, () => retireNow());
  }

  function writeCurrent(): void {
    if (projection !== null && !closed) write(projection);
  }

  function writeSoon(): void {
    if (pending !== null || closed) return;
    const wait = lastWriteAt + COALESCE_MS - clock.now();
    if (wait <= 0) writeCurrent();
    else pending = clock.after(wait, writeCurrent);
  }

  return {
    retire(next) {
      pending?.();
      pending = null;
      retireNow();
      if (written !== null && index !== null) retireSoon(index);
      retryAt = null;
      index = null;
      written = null;
      projection = null;
      attempt = next;
    },
    adopt(found) {
      retireNow();
      index = found;
      if (projection !== null) writeSoon();
      try {
        options.sweep(found);
      } catch {
        // what cannot be read is swept by the next one, and the write has said what is wrong
      }
    },
    publish(next) {
      if (projection !== null && isSame(projection, next)) return;
      projection = next;
      retryAt = next.retryInMs === null ? null : new Date(clock.date().getTime() + next.retryInMs);
      if (index !== null) writeSoon();
    },
    refresh: writeCurrent,
    close() {
      retireNow();
      if (projection !== null && projection !== written) writeCurrent();
      closed = true;
      pending?.();
    },
  };
}

function isSame(one: Projection, other: Projection): boolean {
  return (
    one.state === other.state &&
    one.reason === other.reason &&
    one.pid === other.pid &&
    one.retryInMs === other.retryInMs
  );
}
