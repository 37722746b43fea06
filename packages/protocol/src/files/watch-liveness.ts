import type { ProcessProbe } from '../identity/process-probe.ts';
import type { WatchStatus } from './watch-status.ts';

/** A worker writes every 300 s; three missed writes are silence. */
const MAX_AGE_MS = 900_000;

export interface LivenessView {
  /** This host's name. */
  readonly host: string;
  /** Milliseconds since the epoch: records are compared across processes, so it is wall-clock time. */
  readonly now: number;
  readonly probe: ProcessProbe;
}

export interface WatchLivenessView extends LivenessView {
  /** Believe a record of another host on its age alone (`WOODS_WATCH_TRUST_FOREIGN_HOST=1`). */
  readonly trustForeignHost: boolean;
}

export interface Liveness {
  readonly alive: boolean;
  /** `alive`, or the one thing that speaks against it; `suspended` is alive and at work on nothing. */
  readonly reason: 'alive' | 'suspended' | 'stopped' | 'stale' | 'foreign_host' | 'no_process' | 'other_process';
}

/** Whether the worker that wrote `status` is at work: the file's existence proves nothing. */
export function watchLiveness(status: WatchStatus, view: WatchLivenessView): Liveness {
  if (status.state === 'stopped') return { alive: false, reason: 'stopped' };
  const age = view.now - Date.parse(status.updated_at);
  if (!(age <= MAX_AGE_MS)) return { alive: false, reason: 'stale' };
  if (status.host !== view.host) {
    if (!view.trustForeignHost) return { alive: false, reason: 'foreign_host' };
    // nothing but the age speaks for it, so a time far ahead must not make it alive for ever
    return age >= -MAX_AGE_MS ? { alive: true, reason: 'alive' } : { alive: false, reason: 'stale' };
  }
  return judgeProcess(status, view.probe);
}

/** Whether the very process that a record names exists; without a start time on either side the pid decides. */
export function judgeProcess(
  record: { readonly pid: number; readonly pid_started: string | null },
  probe: ProcessProbe,
): Liveness {
  const found = probe(record.pid);
  if (found === null) return { alive: false, reason: 'no_process' };
  if (record.pid_started === null || found.start === '' || found.start === record.pid_started) {
    return { alive: true, reason: found.suspended === true ? 'suspended' : 'alive' };
  }
  return { alive: false, reason: 'other_process' };
}
