import type { Attempt } from '../../../packages/supervisor/src/attempt/attempt.ts';
import { createHands } from '../../../packages/supervisor/src/run/effects.ts';
import { startHeartbeat } from '../../../packages/supervisor/src/run/heartbeat.ts';
import { openLoop } from '../../../packages/supervisor/src/run/loop.ts';
import { initialContext, type Policy } from '../../../packages/supervisor/src/states/context.ts';
import type { Ending, Line } from '../../../packages/supervisor/src/states/effect.ts';
import type { Event } from '../../../packages/supervisor/src/states/event.ts';
import type { Projection } from '../../../packages/supervisor/src/states/projection.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';

/** A supervisor whose child is a recording fake: nothing runs, and time is the test's. */
export interface Bench {
  readonly clock: FakeClock;
  readonly lines: readonly Line[];
  /** What was asked of attempts, as `1 arm`, `1 spawn`, `1 stop` … */
  readonly calls: readonly string[];
  readonly published: readonly Projection[];
  /** Starts so far. */
  starts(): number;
  /** The current child says or does something. */
  child(...events: Event[]): void;
  /** The same for the child of an earlier attempt, counted from 1. */
  childOf(attempt: number, event: Event): void;
  owner(event: Event): void;
  ending(): Ending | undefined;
}

const POLICY: Policy = { bootTimeoutMs: 300_000, exitOnPark: false, maxFailures: null };

/** Opens one that has begun its first attempt. With `stops: 'when told'` a tree is gone only when the test says so. */
export function openBench(
  options: { policy?: Partial<Policy>; stops?: 'at once' | 'when told'; leftovers?: 'some' } = {},
): Bench {
  const clock = createFakeClock();
  const lines: Line[] = [];
  const calls: string[] = [];
  const published: Projection[] = [];
  const emitters: ((event: Event) => void)[] = [];
  let ending: Ending | undefined;

  function openAttempt(emit: (event: Event) => void): Attempt {
    const number = emitters.push(emit);
    const call = (name: string): void => void calls.push(`${number} ${name}`);
    return {
      token: String(number),
      arm() {
        call('arm');
        emit({ name: 'armed' });
      },
      spawn() {
        call('spawn');
        emit({ name: 'spawned', pid: 1_000 + number });
      },
      stop() {
        call('stop');
        if (options.stops !== 'when told') emit({ name: 'tree_gone', left: [] });
      },
      kill: () => call('kill'),
      relay: (signal) => call(signal),
      close: () => call('close'),
    };
  }

  const hands = createHands({
    clock,
    log: (line) => void lines.push(line),
    journal: { retire: () => {}, adopt: () => {}, publish: () => {}, refresh: () => {}, close: () => {} },
    leftovers: { learn: () => options.leftovers === 'some' },
    notifyReady: () => {},
    openAttempt,
    dispatch: (event) => loop.dispatch(event),
  });
  const loop = openLoop(initialContext({ ...POLICY, ...options.policy }), {
    clock,
    carryOut: hands.carryOut,
    publish: (projection) => void published.push(projection),
  });
  void loop.ended.then((value) => {
    ending = value;
  });
  startHeartbeat(clock, () => loop.dispatch({ name: 'heartbeat' }));
  loop.dispatch({ name: 'begin' });
  return {
    clock,
    lines,
    calls,
    published,
    starts: () => calls.filter((call) => call.endsWith(' spawn')).length,
    child: (...events) => {
      for (const event of events) emitters.at(-1)?.(event);
    },
    childOf: (attempt, event) => emitters[attempt - 1]?.(event),
    owner: loop.dispatch,
    ending: () => ending,
  };
}
