import type { WatchStatus } from '@woods/protocol';
import { duration, onOneLine } from '../output/words.ts';
import type { WatchView } from './look.ts';

/** What `--json` says of the worker in every answer from the index. */
export interface WatchJson {
  readonly alive: boolean;
  /** As the status file has it; null where there is none. */
  readonly state: WatchStatus['state'] | null;
  /** One word: what speaks against a worker that is not alive, or what holds back one that is; null when all is well. */
  readonly reason: string | null;
}

export function watchJson({ alive, verdict, status }: WatchView): WatchJson {
  if (status.kind !== 'ok') return { alive, state: null, reason: verdict };
  const { state, reason } = status.value;
  return { alive, state, reason: verdict === 'alive' ? reason : verdict };
}

/** When something was written: `3.0 s ago`. Clocks of two hosts, or of one that was set, may disagree. */
export function age(writtenAt: string, now: number): string {
  const ms = now - Date.parse(writtenAt);
  return ms < -1_000 ? `${duration(-ms)} ahead of this clock` : `${duration(ms)} ago`;
}

/** The same for programs, to a tenth of a second; negative for a time ahead. */
export function ageSeconds(writtenAt: string, now: number): number {
  return Math.round((now - Date.parse(writtenAt)) / 100) / 10;
}

/** One clause that says what speaks against the worker's being at work; empty when nothing does. */
export function absence({ verdict, status }: WatchView, now: number): string {
  if (status.kind === 'missing') return 'none has ever written its status here';
  if (status.kind === 'corrupt') return `its status file is corrupt: ${status.detail}`;
  const { pid, host, updated_at } = status.value;
  const age = duration(now - Date.parse(updated_at));
  const clauses: Readonly<Record<WatchView['verdict'], string>> = {
    alive: '',
    suspended: `its process ${pid} is suspended; \`kill -CONT ${pid}\` lets it go on`,
    missing: '',
    corrupt: '',
    stopped: `it stopped ${age} ago`,
    stale: `its last sign of life is ${age} old, and a live one gives one every 5 min`,
    foreign_host: `its record is of another host, ${onOneLine(host)}; WOODS_WATCH_TRUST_FOREIGN_HOST=1 believes it`,
    no_process: `its process ${pid} is gone without a word`,
    other_process: `its pid ${pid} is another process now`,
  };
  return clauses[verdict];
}
