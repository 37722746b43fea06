import { hostname } from 'node:os';
import {
  type Liveness,
  type LivenessView,
  probeProcess,
  type Read,
  readVariable,
  readWatchStatus,
  VARIABLE,
  type WatchLivenessView,
  type WatchStatus,
  watchLiveness,
} from '@woods/protocol';
import type { Session } from '../session.ts';

/** The worker of an index, as far as its status file can be believed. */
export interface WatchView {
  readonly alive: boolean;
  /** `alive`, or what speaks against it. */
  readonly verdict: Liveness['reason'] | 'missing' | 'corrupt';
  readonly status: Read<WatchStatus>;
}

/** How processes of this host are looked up; `now` is the wall clock, in milliseconds. */
export function livenessView(): LivenessView {
  return { host: hostname(), now: Date.now(), probe: probeProcess };
}

/** Reads `watch_status.json` and judges it. Never throws, starts nothing. */
export function lookAtWatch(indexDir: string, { env }: Pick<Session, 'env'>): WatchView {
  const trustForeignHost = readVariable(env, VARIABLE.trustForeignHost) === '1';
  return judgeWatch(readWatchStatus(indexDir), { ...livenessView(), trustForeignHost });
}

/** The judgement alone. */
export function judgeWatch(status: Read<WatchStatus>, view: WatchLivenessView): WatchView {
  if (status.kind !== 'ok') return { alive: false, verdict: status.kind, status };
  const { alive, reason } = watchLiveness(status.value, view);
  return { alive, verdict: reason, status };
}
