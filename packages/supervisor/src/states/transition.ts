import type { Context } from './context.ts';
import type { Effect } from './effect.ts';
import type { State } from './state.ts';

/** Where a transition starts: `at` is monotonic milliseconds. */
export interface Moment {
  readonly state: State;
  readonly context: Context;
  readonly at: number;
}

/** Where it leads, and what is to be done on the way. */
export interface Step {
  readonly state: State;
  readonly context: Context;
  readonly effects: readonly Effect[];
}

/** One cell of the table: a pure function, named for what it does. */
export type Action<E> = (moment: Moment, event: E) => Step;

export function stay(moment: Moment, ...effects: Effect[]): Step {
  return { state: moment.state, context: moment.context, effects };
}

/** The event means nothing here, by design. */
export const ignore: Action<unknown> = (moment) => stay(moment);
