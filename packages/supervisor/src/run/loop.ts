import type { Clock } from '../clock/clock.ts';
import type { Context } from '../states/context.ts';
import type { Effect, Ending } from '../states/effect.ts';
import type { Event } from '../states/event.ts';
import { type Projection, project } from '../states/projection.ts';
import type { State } from '../states/state.ts';
import { step } from '../states/step.ts';

/** Takes one event at a time. */
export interface Loop {
  dispatch(event: Event): void;
  /** Settles at the `finish` effect; no event means anything afterwards. */
  readonly ended: Promise<Ending>;
}

/**
 * The loop around the table: an event leads to a transition, its effects are carried out in order, and the new state is
 * published, here and nowhere else. Events that an effect causes at once wait for their turn.
 */
export function openLoop(
  context: Context,
  edge: { clock: Clock; carryOut(effect: Effect): void; publish(projection: Projection): void },
): Loop {
  let now: { state: State; context: Context } = { state: 'idle', context };
  const queue: Event[] = [];
  let busy = false;
  let settle: (ending: Ending) => void = () => {};
  const ended = new Promise<Ending>((resolve) => {
    settle = resolve;
  });

  function take(event: Event): void {
    const next = step({ ...now, at: edge.clock.now() }, event);
    now = { state: next.state, context: next.context };
    for (const effect of next.effects) {
      if (effect.do === 'finish') settle(effect.ending);
      else edge.carryOut(effect);
    }
    const projection = project(now.state, now.context);
    if (projection !== null) edge.publish(projection);
  }

  return {
    ended,
    dispatch(event) {
      queue.push(event);
      if (busy) return;
      busy = true;
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) take(next);
      busy = false;
    },
  };
}
