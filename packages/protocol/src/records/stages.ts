/** How far an attempt has come, as one total table: every event in every stage either leads on or is out of order. */
import type { EventName } from './events.ts';

export type Stage =
  | 'new'
  /** The guardian is there. */
  | 'guarded'
  | 'spawned'
  | 'loaded'
  | 'identified'
  | 'watching'
  | 'started'
  /** The child has said its last word and has not ended yet. */
  | 'terminal'
  | 'ended';

type Row = Readonly<Record<EventName, Stage | null>>;

const NOTHING: Row = {
  hello: null,
  spawned: null,
  spawn_error: null,
  exit: null,
  task_loaded: null,
  identity: null,
  backend_ready: null,
  startup: null,
  terminal: null,
};

const NEXT: Readonly<Record<Stage, Row>> = {
  new: { ...NOTHING, hello: 'guarded' },
  guarded: { ...NOTHING, spawned: 'spawned', spawn_error: 'ended' },
  spawned: { ...NOTHING, task_loaded: 'loaded', exit: 'ended' },
  loaded: { ...NOTHING, identity: 'identified', terminal: 'terminal', exit: 'ended' },
  identified: { ...NOTHING, backend_ready: 'watching', terminal: 'terminal', exit: 'ended' },
  watching: { ...NOTHING, startup: 'started', terminal: 'terminal', exit: 'ended' },
  started: { ...NOTHING, startup: 'started', terminal: 'terminal', exit: 'ended' },
  terminal: { ...NOTHING, exit: 'ended' },
  ended: NOTHING,
};

/** The stage that `event` leads to, or null when it is out of order in `stage`. */
export function nextStage(stage: Stage, event: EventName): Stage | null {
  return NEXT[stage][event];
}

/** The events that may follow, in words for a message. */
export function describeExpected(stage: Stage): string {
  const names = Object.entries(NEXT[stage]).flatMap(([event, next]) => (next === null ? [] : [event]));
  return names.length === 0 ? 'nothing more' : names.join(' or ');
}
