import { realpathSync } from 'node:fs';
import { isObject } from '../values/json.ts';
import { positiveInteger } from '../values/kinds.ts';
import { quote } from '../values/quote.ts';
import { type ChildEvent, type EventName, type OwnerEvent, RECORD_VERSION } from './events.ts';
import { isChildEventName, isOwnerEventName, readChildEvent, readOwnerEvent } from './fields.ts';
import { describeExpected, nextStage, type Stage } from './stages.ts';
import { type Refusal, refuse, type Verdict } from './verdict.ts';

export interface ValidatorOptions {
  /** The supervisor's own tokens: a record with others belongs to somebody else. */
  readonly launcher: string;
  readonly attempt: string;
  /** The supervisor's root, resolved; a child that works on another one would publish for the wrong tree. */
  readonly root: string;
  readonly ownerPid: number;
  /** Whether `pid` is a live descendant of `childPid`; asked once, at the child's first record. */
  readonly isSender: (pid: number, childPid: number) => boolean;
  /** Resolves links in a path; throws when there is no such path. `fs.realpathSync.native` by default. */
  readonly realpath?: (path: string) => string;
}

/** One a attempt. After a refusal the attempt is incompatible, and the caller stops asking. */
export interface RecordValidator {
  /** Judges one parsed line of the child's channel. */
  child(value: unknown): Verdict<ChildEvent>;
  /** Judges what supervisor and guardian say of the attempt. */
  owner(event: OwnerEvent): Verdict<OwnerEvent>;
  stage(): Stage;
}

/** A validator for one attempt: every rule of the protocol that concerns a record, in the order of the events. */
export function createRecordValidator(options: ValidatorOptions): RecordValidator {
  const realpath = options.realpath ?? realpathSync.native;
  let stage: Stage = 'new';
  let childPid: number | null = null;
  let senderPid: number | null = null;

  function child(value: unknown): Verdict<ChildEvent> {
    const envelope = readEnvelope(value, options);
    if (!envelope.ok) return envelope;
    const { name, pid, record } = envelope;
    const next = nextStage(stage, name);
    if (next === null) return refuseOrder(stage, name);
    const stranger = judgeSender(pid);
    if (stranger !== null) return stranger;
    const read = readChildEvent(name, record);
    if (!read.ok) return read;
    if (read.event.event === 'identity') {
      const elsewhere = judgeRoot(read.event.root);
      if (elsewhere !== null) return elsewhere;
    }
    senderPid = pid;
    stage = next;
    return { ok: true, event: read.event, pid };
  }

  function owner(event: OwnerEvent): Verdict<OwnerEvent> {
    const read = readOwnerEvent(event);
    if (!read.ok) return read;
    const next = nextStage(stage, read.event.event);
    if (next === null) return refuseOrder(stage, read.event.event);
    if (read.event.event === 'spawned') childPid = read.event.child_pid;
    stage = next;
    return { ok: true, event: read.event, pid: options.ownerPid };
  }

  function judgeSender(pid: number): ({ readonly ok: false } & Refusal) | null {
    if (senderPid !== null) {
      if (pid === senderPid) return null;
      return refuse('pid_changed', `expected all records from process ${senderPid}, found one from ${pid}`);
    }
    if (childPid !== null && (pid === childPid || options.isSender(pid, childPid))) return null;
    return refuse('foreign_pid', `expected the child ${childPid} or a live descendant of it, found process ${pid}`);
  }

  function judgeRoot(root: string): ({ readonly ok: false } & Refusal) | null {
    const resolved = resolveOrNull(root, realpath);
    if (resolved === options.root) return null;
    const found = resolved === null ? `${quote(root)}, which cannot be resolved` : quote(resolved);
    return refuse('wrong_root', `expected the child to work on ${quote(options.root)}, found ${found}`);
  }

  return { child, owner, stage: () => stage };
}

type EnvelopeRead =
  | {
      readonly ok: true;
      readonly name: ChildEvent['event'];
      readonly pid: number;
      readonly record: Readonly<Record<string, unknown>>;
    }
  | ({ readonly ok: false } & Refusal);

function readEnvelope(value: unknown, own: { launcher: string; attempt: string }): EnvelopeRead {
  if (!isObject(value)) return refuse('not_an_object', `expected a JSON object, found ${quote(value)}`);
  const { version, launcher, attempt, event } = value;
  if (version !== RECORD_VERSION) {
    return refuse('bad_version', `expected version ${RECORD_VERSION}, found ${quote(version)}`);
  }
  if (launcher !== own.launcher) {
    return refuse('foreign_launcher', `expected the launcher token of this supervisor, found ${quote(launcher)}`);
  }
  if (attempt !== own.attempt) {
    return refuse('foreign_attempt', `expected the token of this attempt, found ${quote(attempt)}`);
  }
  const pid = positiveInteger.read(value.pid);
  if (pid === null) return refuse('bad_pid', `expected pid to be a positive integer, found ${quote(value.pid)}`);
  if (isOwnerEventName(event)) {
    return refuse('owner_event', `expected an event of the child, found ${event}, which only its owner may send`);
  }
  if (!isChildEventName(event)) return refuse('unknown_event', `expected a known event, found ${quote(event)}`);
  return { ok: true, name: event, pid: pid.value, record: value };
}

function refuseOrder(stage: Stage, event: EventName): { readonly ok: false } & Refusal {
  const reason = stage === 'terminal' ? 'after_terminal' : stage === 'ended' ? 'after_end' : 'out_of_order';
  return refuse(reason, `expected ${describeExpected(stage)} in stage ${stage}, found ${event}`);
}

function resolveOrNull(path: string, realpath: (path: string) => string): string | null {
  try {
    return realpath(path);
  } catch {
    return null;
  }
}
