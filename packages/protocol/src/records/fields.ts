/** The fields of each event, with their ranges. */

import { isObject } from '../values/json.ts';
import {
  absolutePath,
  integer,
  nullable,
  oneOf,
  positiveInteger,
  readFields,
  text,
  type Values,
} from '../values/kinds.ts';
import { quote } from '../values/quote.ts';
import {
  type ChildEvent,
  type ChildEventName,
  type OwnerEvent,
  type OwnerEventName,
  STARTUP_REASONS,
  TERMINAL_REASONS,
} from './events.ts';
import { type Refusal, refuse } from './verdict.ts';

type EventRead<E> = { readonly ok: true; readonly event: E } | ({ readonly ok: false } & Refusal);
type Read<E> = (record: Readonly<Record<string, unknown>>) => EventRead<E>;

const versionText = text('a version such as 2.0.0', /^(?=.{1,64}$)\d+(\.[0-9A-Za-z]+)*([-+][0-9A-Za-z.+-]+)?$/);

const readChild: Readonly<Record<ChildEventName, Read<ChildEvent>>> = {
  task_loaded: withFields({ woods_version: versionText }, (values) => ({ event: 'task_loaded', ...values })),
  identity: withFields({ root: absolutePath, index: absolutePath }, (values) => ({ event: 'identity', ...values })),
  backend_ready: () => ({ ok: true, event: { event: 'backend_ready' } }),
  startup: withFields(
    { state: oneOf(['ready', 'degraded']), generation: integer({ min: 0 }), reason: oneOf(STARTUP_REASONS) },
    (values) => ({ event: 'startup', ...values }),
  ),
  terminal: withFields({ reason: oneOf(TERMINAL_REASONS) }, (values) => ({ event: 'terminal', ...values })),
};

const readOwner: Readonly<Record<OwnerEventName, Read<OwnerEvent>>> = {
  hello: () => ({ ok: true, event: { event: 'hello' } }),
  spawned: withFields({ child_pid: positiveInteger }, (values) => ({ event: 'spawned', ...values })),
  spawn_error: withFields({ reason: text('1 to 80 letters, digits or _', /^[A-Za-z0-9_]{1,80}$/) }, (values) => ({
    event: 'spawn_error',
    ...values,
  })),
  exit: withFields({ code: nullable(integer({ min: 0, max: 255 })), signal: nullable(positiveInteger) }, (values) => ({
    event: 'exit',
    ...values,
  })),
};

export function isChildEventName(name: unknown): name is ChildEventName {
  return typeof name === 'string' && Object.hasOwn(readChild, name);
}

export function isOwnerEventName(name: unknown): name is OwnerEventName {
  return typeof name === 'string' && Object.hasOwn(readOwner, name);
}

/** The event in `record`, rid of everything that the protocol does not name; order and sender are not looked at. */
export function readChildEvent(name: ChildEventName, record: Readonly<Record<string, unknown>>): EventRead<ChildEvent> {
  const read = readChild[name](record);
  if (!read.ok || read.event.event !== 'startup') return read;
  const { state, reason, generation } = read.event;
  const ready = reason === 'reconciled' && generation >= 1;
  if ((state === 'ready') === ready) return read;
  return refuse(
    'bad_startup',
    'expected startup to be ready if and only if its reason is reconciled and its generation at least 1, ' +
      `found ${state} with ${reason} and generation ${generation}`,
  );
}

export function readOwnerEvent(found: OwnerEvent): EventRead<OwnerEvent> {
  // Owner events are our own, but a wrong one would poison the stage that the child's records are judged by.
  if (!isObject(found) || !isOwnerEventName(found.event)) return refuse('unknown_event', `found ${quote(found)}`);
  const read = readOwner[found.event]({ ...found });
  if (!read.ok || read.event.event !== 'exit') return read;
  if ((read.event.code === null) !== (read.event.signal === null)) return read;
  return refuse('bad_exit', `expected exit to have a code or a signal, found ${quote(read.event)}`);
}

function withFields<const F extends Parameters<typeof readFields>[1], E>(
  fields: F,
  build: (values: Values<F>) => E,
): Read<E> {
  return (record) => {
    const read = readFields(record, fields);
    if (read.ok) return { ok: true, event: build(read.values) };
    return refuse(`bad_${read.field}`, `expected ${read.field} to be ${read.expected}, found ${quote(read.found)}`);
  };
}
