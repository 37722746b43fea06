import type { Event } from './event.ts';
import { TABLE } from './table.ts';
import type { Action, Moment, Step } from './transition.ts';

/** One transition: looks the cell up and runs it. Pure. */
export function step(moment: Moment, event: Event): Step {
  // The table's type pairs each name with the action for that event; the pairing is lost once the name is a variable.
  const action = TABLE[moment.state][event.name] as Action<Event>;
  return action(moment, event);
}
