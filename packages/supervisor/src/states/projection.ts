import type { SupervisorStatus } from '@woods/protocol';
import type { Context } from './context.ts';
import type { State } from './state.ts';

/** What the world is told about a state. */
export interface Projection {
  readonly state: SupervisorStatus['state'];
  readonly reason: string;
  readonly pid: number | null;
  readonly retryInMs: number | null;
}

/** Null: nothing new to tell, the last word stands (an attempt on its way out has no state of its own). */
const TOLD_AS: Readonly<Record<State, SupervisorStatus['state'] | null>> = {
  idle: null,
  arming: null,
  spawning: null,
  starting: 'starting',
  booting: 'booting',
  identified: 'starting',
  reconciling: 'reconciling',
  ready: 'ready',
  degraded: 'degraded',
  leaving: null,
  // it answers nothing any more, whatever it said before
  overdue: 'degraded',
  stopping: null,
  retrying: 'retrying',
  parked: 'parked',
  stopped: 'stopped',
};

/** Reduces state and context to what the status file says; null when it keeps what it says. */
export function project(state: State, context: Context): Projection | null {
  const told = TOLD_AS[state];
  if (told === null) return null;
  return { state: told, reason: context.reason, pid: context.attempt.pid, retryInMs: context.retryInMs };
}
