import type { Pointer, Read, SupervisorsRead } from '@woods/protocol';
import type { Answer } from '../output/answer.ts';
import { columns, onOneLine } from '../output/words.ts';
import type { WatchView } from './look.ts';
import { supervisorJson, supervisorLine } from './supervisor-words.ts';
import { absence, age, ageSeconds, watchJson } from './words.ts';

export interface StatusFacts {
  readonly root: string;
  readonly indexDir: string;
  readonly watch: WatchView;
  readonly pointer: Read<Pointer>;
  readonly supervision: SupervisorsRead;
  /** Wall clock, ms. */
  readonly now: number;
}

/** The answer of `woods watch-status`: 0 when a worker is alive, running or degraded; 1 when none is. */
export function statusAnswer(facts: StatusFacts): Answer {
  const { watch, supervision, now } = facts;
  const truncated = supervision.truncated
    ? ['there are more supervisors, or files beside theirs, than are looked at']
    : [];
  return {
    exitCode: watch.alive ? 0 : 1,
    json: statusJson(facts),
    text: [...workerLines(facts), ...supervision.records.map((record) => supervisorLine(record, now))],
    words: [...problemWords(supervision.problems), ...truncated],
  };
}

/** Whoever can write there can write many; a program gets all of them. */
const SHOWN_PROBLEMS = 8;

function problemWords(problems: readonly string[]): string[] {
  const shown = problems.slice(0, SHOWN_PROBLEMS).map((problem) => `not believed: ${problem}`);
  const more = problems.length - shown.length;
  return more === 0 ? shown : [...shown, `not believed: ${more} more, see --json`];
}

function statusJson({ root, indexDir, watch, pointer, supervision, now }: StatusFacts): Answer['json'] {
  const status = watch.status.kind === 'ok' ? watch.status.value : null;
  return {
    ...watchJson(watch),
    generation: status?.generation ?? null,
    pid: status?.pid ?? null,
    pid_started: status?.pid_started ?? null,
    host: status?.host ?? null,
    updated_at: status?.updated_at ?? null,
    age_seconds: status === null ? null : ageSeconds(status.updated_at, now),
    detail: status?.detail ?? null,
    published: pointer.kind === 'ok' ? publishedJson(pointer.value) : null,
    root,
    index: indexDir,
    supervisors: supervision.records.map((record) => supervisorJson(record, now)),
    supervisors_truncated: supervision.truncated,
    problems: supervision.problems,
  };
}

function publishedJson({ number, updated_at, reason }: Pointer): Answer['json'] {
  return { generation: number, updated_at, reason };
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
  yield* columns([...placeRows(facts), ...processRows(facts), publishedRow(facts)]);
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
  yield ['  last sign of life', age(updated_at, now)];
  for (const [name, value] of Object.entries(detail ?? {})) {
    // lists are for programs; what people need of them is in the message
    if (value === null || typeof value === 'object') continue;
    yield [`  ${onOneLine(name.replaceAll('_', ' '))}`, onOneLine(String(value))];
  }
}

/** What readers get, whoever is alive; the worker's own word for it stands above. */
function publishedRow({ pointer, now }: StatusFacts): [string, string] {
  const published = (): string => {
    if (pointer.kind === 'missing') return 'nothing yet';
    if (pointer.kind === 'corrupt') return `generation.json is corrupt: ${pointer.detail}`;
    return `generation ${pointer.value.number}, ${age(pointer.value.updated_at, now)}`;
  };
  return ['  published', published()];
}
