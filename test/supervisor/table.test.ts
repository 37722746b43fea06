import { describe, expect, it } from 'vitest';
import { type Context, initialContext } from '../../packages/supervisor/src/states/context.ts';
import type { Effect } from '../../packages/supervisor/src/states/effect.ts';
import type { Event, EventName } from '../../packages/supervisor/src/states/event.ts';
import type { State } from '../../packages/supervisor/src/states/state.ts';
import { step } from '../../packages/supervisor/src/states/step.ts';
import { TABLE } from '../../packages/supervisor/src/states/table.ts';

const EVENTS: { readonly [Name in EventName]: Extract<Event, { name: Name }> } = {
  begin: { name: 'begin' },
  armed: { name: 'armed' },
  arm_failed: { name: 'arm_failed', detail: 'no shell' },
  spawned: { name: 'spawned', pid: 77 },
  spawn_failed: { name: 'spawn_failed', code: 'ENOENT', detail: 'x: ENOENT' },
  task_loaded: { name: 'task_loaded', woodsVersion: '2.0.0' },
  identity: { name: 'identity', index: '/index' },
  leftovers_found: { name: 'leftovers_found' },
  backend_ready: { name: 'backend_ready' },
  startup: { name: 'startup', state: 'ready', generation: 3, reason: 'reconciled' },
  terminal: { name: 'terminal', reason: 'restart_required' },
  refused: { name: 'refused', reason: 'not_json', detail: 'expected JSON' },
  exited: { name: 'exited', code: 1, signal: null },
  tree_gone: { name: 'tree_gone', left: [] },
  boot_timeout: { name: 'boot_timeout' },
  leave_timeout: { name: 'leave_timeout' },
  retry_due: { name: 'retry_due' },
  stop: { name: 'stop', signal: 'SIGINT' },
  restart: { name: 'restart' },
  guardian_replaced: { name: 'guardian_replaced' },
  heartbeat: { name: 'heartbeat' },
};

const CONCLUDE = 'stopping: stop_timer boot, stop_timer leave, stop_tree';
const STOP = 'stopping: say stopping, stop_timer boot, stop_timer leave, stop_tree';
const LEAVE = 'leaving: stop_timer boot, start_timer leave 1000';
const BEGIN = 'arming: stop_timer retry, open_attempt';
const END = 'stopped: say stopping, stop_timer retry, finish';
const ALIVE = { heartbeat: 'same: refresh_status', guardian_replaced: 'same: say guardian_replaced' };
const CHILD_RUNS = {
  ...ALIVE,
  leftovers_found: 'same:',
  refused: CONCLUDE,
  exited: CONCLUDE,
  stop: STOP,
  restart: CONCLUDE,
};
const NO_RECORD = {
  task_loaded: CONCLUDE,
  identity: CONCLUDE,
  backend_ready: CONCLUDE,
  startup: CONCLUDE,
  terminal: CONCLUDE,
};

/** Every cell that does something, as `next state: effects`; every other cell must do nothing at all. */
const EXPECTED: Readonly<Record<State, Partial<Record<EventName, string>>>> = {
  idle: { begin: BEGIN, stop: END },
  arming: { ...ALIVE, armed: 'spawning: spawn', arm_failed: CONCLUDE, stop: STOP },
  spawning: {
    ...CHILD_RUNS,
    ...NO_RECORD,
    spawned: 'starting: start_timer boot 300000, say started',
    spawn_failed: CONCLUDE,
  },
  starting: { ...CHILD_RUNS, ...NO_RECORD, task_loaded: 'booting:', boot_timeout: CONCLUDE },
  booting: {
    ...CHILD_RUNS,
    ...NO_RECORD,
    identity: 'identified: stop_timer boot, adopt_index /index',
    terminal: LEAVE,
    boot_timeout: CONCLUDE,
  },
  identified: { ...CHILD_RUNS, ...NO_RECORD, backend_ready: 'reconciling:', terminal: LEAVE },
  reconciling: { ...CHILD_RUNS, ...NO_RECORD, startup: 'ready: say ready, notify_ready', terminal: LEAVE },
  ready: { ...CHILD_RUNS, ...NO_RECORD, startup: 'same: say ready, notify_ready', terminal: LEAVE },
  degraded: { ...CHILD_RUNS, ...NO_RECORD, startup: 'ready: say ready, notify_ready', terminal: LEAVE },
  leaving: { ...CHILD_RUNS, ...NO_RECORD, leave_timeout: 'overdue: start_timer leave 29000' },
  overdue: { ...CHILD_RUNS, ...NO_RECORD, leave_timeout: CONCLUDE },
  stopping: {
    ...ALIVE,
    exited: 'same:',
    tree_gone: 'retrying: say retrying, start_timer retry 1000',
    stop: 'same: say stopping',
    restart: 'same:',
  },
  retrying: { ...ALIVE, retry_due: BEGIN, stop: END, restart: BEGIN },
  parked: { ...ALIVE, stop: END, restart: BEGIN },
  stopped: {},
};

const POLICY = { bootTimeoutMs: 300_000, exitOnPark: false, maxFailures: null };

function contextIn(state: State): Context {
  const context = initialContext(POLICY);
  if (state !== 'stopping') return context;
  return { ...context, decision: { kind: 'retry', reason: 'child_failed', what: 'it ended' } };
}

function show(effect: Effect): string {
  switch (effect.do) {
    case 'say':
      return `say ${effect.line.event}`;
    case 'start_timer':
      return `start_timer ${effect.timer} ${effect.ms}`;
    case 'stop_timer':
      return `stop_timer ${effect.timer}`;
    case 'adopt_index':
      return `adopt_index ${effect.index}`;
    default:
      return effect.do;
  }
}

// the keys of these objects are those of their own types
const STATES = Object.keys(TABLE) as State[];
const NAMES = Object.keys(EVENTS) as EventName[];

describe.each(STATES)('in state %s', (state) => {
  it.each(NAMES)('%s', (name) => {
    const context = contextIn(state);
    const next = step({ state, context, at: 1_000 }, EVENTS[name]);
    const expected = EXPECTED[state][name];
    if (expected === undefined) {
      expect(next).toEqual({ state, context, effects: [] });
      return;
    }
    const [to, effects = ''] = expected.split(':');
    expect(next.state).toBe(to === 'same' ? state : to);
    expect(next.effects.map(show).join(', ')).toBe(effects.trim());
  });
});

describe('a tree that is being stopped', () => {
  const at = 1_000;

  it('is killed at the second INT or TERM, and not at a second HUP', () => {
    const first = step({ state: 'ready', context: contextIn('ready'), at }, EVENTS.stop);
    const second = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): string[] =>
      step({ ...first, at: at + 200 }, { name: 'stop', signal }).effects.map(show);
    expect(second('SIGINT')).toEqual(['say killing', 'kill_tree']);
    expect(second('SIGTERM')).toEqual(['say killing', 'kill_tree']);
    expect(second('SIGHUP')).toEqual([]);
  });

  it('takes a signal that a runner passes on for the echo that it is', () => {
    const first = step({ state: 'ready', context: contextIn('ready'), at }, EVENTS.stop);
    expect(step({ ...first, at: at + 100 }, { name: 'stop', signal: 'SIGTERM' })).toEqual({ ...first, effects: [] });
  });

  it('ends us by the first of two signals', () => {
    const first = step({ state: 'ready', context: contextIn('ready'), at }, { name: 'stop', signal: 'SIGHUP' });
    const second = step({ ...first, at }, { name: 'stop', signal: 'SIGTERM' });
    expect(step({ ...second, at }, EVENTS.tree_gone).effects).toContainEqual({
      do: 'finish',
      ending: { by: 'signal', signal: 'SIGHUP' },
    });
  });

  it('is not restarted against the wish to end, but against a retry or a parking', () => {
    const ending = step({ state: 'ready', context: contextIn('ready'), at }, EVENTS.stop);
    expect(step({ ...ending, at }, EVENTS.restart)).toEqual({ ...ending, effects: [] });
    const retrying = step({ state: 'stopping', context: contextIn('stopping'), at }, EVENTS.restart);
    expect(step({ ...retrying, at }, EVENTS.tree_gone).state).toBe('arming');
  });

  it('names what even KILL did not end', () => {
    const next = step({ state: 'stopping', context: contextIn('stopping'), at }, { name: 'tree_gone', left: [5, 6] });
    expect(next.effects[0]).toMatchObject({
      do: 'say',
      line: { level: 'error', text: expect.stringContaining('5, 6') },
    });
  });
});
