import type { SupervisorRecord, SupervisorsRead } from '@woods/protocol';
import type { Answer } from '../output/answer.ts';
import { columns, duration, onOneLine } from '../output/words.ts';
import type { WatchView } from './look.ts';
import { absence, watchJson } from './words.ts';

export interface StatusFacts {
  readonly root: string;
  readonly indexDir: string;
  readonly watch: WatchView;
  readonly supervision: SupervisorsRead;
  /** Wall clock, ms. */
  readonly now: number;
}

/** The answer of `woods watch-status`: 0 when a worker is alive, running or degraded; 1 when none is. */
export function statusAnswer(facts: StatusFacts): Answer {
  const { watch, supervision, now } = facts;
  const truncated = supervision.truncated ? ['there are more supervisors than are listed'] : [];
  return {
    exitCode: watch.alive ? 0 : 1,
    json: statusJson(facts),
    text: [...workerLines(facts), ...supervision.records.map((record) => supervisorLine(record, now))],
    words: [...supervision.problems.map((problem) => `not believed: ${problem}`), ...truncated],
  };
}

function statusJson({ root, indexDir, watch, supervision, now }: StatusFacts): Answer['json'] {
  const status = watch.status.kind === 'ok' ? watch.status.value : null;
  return {
    ...watchJson(watch),
    generation: status?.generation ?? null,
    pid: status?.pid ?? null,
    pid_started: status?.pid_started ?? null,
    host: status?.host ?? null,
    updated_at: status?.updated_at ?? null,
    age_seconds: status === null ? null : ageSeconds(status, now),
    detail: status?.detail ?? null,
    root,
    index: indexDir,
    supervisors: supervision.records.map((record) => supervisorJson(record, now)),
    supervisors_truncated: supervision.truncated,
    problems: supervision.problems,
  };
}

function supervisorJson({ status, alive, activeChild }: SupervisorRecord, now: number): Answer['json'] {
  const { version: _, ...record } = status;
  const retryAt = status.retry_at ?? null;
  return { ...record, retry_at: retryAt, age_seconds: ageSeconds(status, now), alive, active_child: activeChild };
}

function* workerLines(facts: StatusFacts): Generator<string> {
  const { watch, now } = facts;
  if (watch.status.kind === 'ok' && watch.alive) {
    const { state, reason } = watch.status.value;
    const doubt = absence(watch, now);
    yield `alive: ${state}${reason === null ? '' : ` (${onOneLine(reason)})`}${doubt === '' ? '' : `, but ${doubt}`}`;
  } else {
    yield `not alive: ${absence(watch, now)}`;
  }
  yield* columns([...placeRows(facts), ...processRows(facts)]);
}

function placeRows({ root, indexDir }: StatusFacts): [string, string][] {
  return [
    ['  root', onOneLine(root)],
    ['  index', onOneLine(indexDir)],
  ];
}

function* processRows({ watch, now }: StatusFacts): Generator<[string, string]> {
  if (watch.status.kind !== 'ok') return;
  const { generation, pid, host, updated_at, detail } = watch.status.value;
  yield ['  generation', generation === null ? 'none' : String(generation)];
  yield ['  process', `pid ${pid} on ${onOneLine(host)}`];
  yield ['  last sign of life', `${duration(now - Date.parse(updated_at))} ago`];
  for (const [name, value] of Object.entries(detail ?? {})) {
    // lists are for programs; what people need of them is in the message
    if (value === null || typeof value === 'object') continue;
    yield [`  ${onOneLine(name.replaceAll('_', ' '))}`, onOneLine(String(value))];
  }
}

function supervisorLine({ status, alive, activeChild }: SupervisorRecord, now: number): string {
  const { pid, state, reason, child_pid, retry_at, updated_at } = status;
  const life = alive ? state : `not alive (${state}, ${duration(now - Date.parse(updated_at))} ago)`;
  const child = child_pid === null ? 'no child' : `child ${child_pid}${activeChild ? ', the worker above' : ''}`;
  const retry = retry_at === undefined ? '' : `, next start at ${retry_at}`;
  return `supervisor ${pid}: ${life}, ${reason}, ${child}${retry}`;
}

function ageSeconds({ updated_at }: { readonly updated_at: string }, now: number): number {
  return Math.round((now - Date.parse(updated_at)) / 100) / 10;
}
