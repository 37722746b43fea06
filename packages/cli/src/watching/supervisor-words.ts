import type { SupervisorRecord } from '@woods/protocol';
import type { Answer } from '../output/answer.ts';
import { duration, onOneLine } from '../output/words.ts';
import { age, ageSeconds } from './words.ts';

/** What `--json` says of one supervisor: its record, and what can be judged of it now. */
export function supervisorJson({ status, alive, verdict, activeChild }: SupervisorRecord, now: number): Answer['json'] {
  const { version: _, ...record } = status;
  const retryAt = status.retry_at ?? null;
  return {
    ...record,
    retry_at: retryAt,
    retry_in_seconds: retryAt === null ? null : Math.max(0, -ageSeconds(retryAt, now)),
    age_seconds: ageSeconds(status.updated_at, now),
    alive,
    verdict,
    active_child: activeChild,
  };
}

/** One line for people. Tokens are cut to what tells two attempts apart by eye. */
export function supervisorLine({ status, alive, verdict, activeChild }: SupervisorRecord, now: number): string {
  const { pid, host, state, reason, child_pid, retry_at, updated_at, attempt } = status;
  const against: Readonly<Record<SupervisorRecord['verdict'], string>> = {
    alive: '',
    suspended: `, suspended; \`kill -CONT ${pid}\` lets it go on`,
    stopped: '',
    stale: ', silent since',
    foreign_host: `, of another host, ${onOneLine(host)}`,
    no_process: ', its process is gone',
    other_process: ', its pid is another process now',
  };
  const life = alive ? `${state}, ${reason}${against[verdict]}` : `not alive (${state}, ${reason}${against[verdict]})`;
  const child = child_pid === null ? 'no child' : `child ${child_pid}${activeChild ? ', the worker above' : ''}`;
  const retry = retry_at === undefined || !alive ? '' : `, next start ${dueIn(retry_at, now)}`;
  return `supervisor ${pid}: ${life}, ${child}${retry}, attempt ${attempt.slice(0, 8)}, as of ${age(updated_at, now)}`;
}

function dueIn(retryAt: string, now: number): string {
  const ms = Date.parse(retryAt) - now;
  return ms <= 0 ? 'now' : `in ${duration(ms)}`;
}
