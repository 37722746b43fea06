import { describe, expect, it } from 'vitest';
import type { Event } from '../../packages/supervisor/src/states/event.ts';
import { type Bench, openBench } from './support/bench.ts';

const BOOT: readonly Event[] = [
  { name: 'task_loaded', woodsVersion: '2.0.0' },
  { name: 'identity', index: '/index' },
  { name: 'backend_ready' },
];
const READY: Event = { name: 'startup', state: 'ready', generation: 1, reason: 'reconciled' };
const DEGRADED: Event = { name: 'startup', state: 'degraded', generation: 1, reason: 'pending_work' };
const FAILED: Event = { name: 'exited', code: 9, signal: null };
const PLANNED: readonly Event[] = [
  { name: 'terminal', reason: 'restart_required' },
  { name: 'exited', code: 75, signal: null },
];

/** Lets time pass second by second until the next start; returns the seconds. */
function secondsToNextStart(bench: Bench): number {
  const before = bench.starts();
  for (let seconds = 0; seconds <= 120; seconds += 1) {
    if (bench.starts() > before) return seconds;
    bench.clock.advance(1_000);
  }
  throw new Error('it was not started again');
}

function fail(bench: Bench): number {
  bench.child(FAILED);
  return secondsToNextStart(bench);
}

describe('(reports 3 and 4) delays after failures', () => {
  it('are 1, 2, 4, 8, 16, 30, 30 … s', () => {
    const bench = openBench();
    expect([1, 2, 3, 4, 5, 6, 7].map(() => fail(bench))).toEqual([1, 2, 4, 8, 16, 30, 30]);
  });

  it('start again after 60 s in ready, and not just before', () => {
    const forgotten = openBench();
    fail(forgotten);
    forgotten.child(...BOOT, READY);
    forgotten.clock.advance(60_000);
    expect(fail(forgotten)).toBe(1);

    const remembered = openBench();
    fail(remembered);
    remembered.child(...BOOT, READY);
    remembered.clock.advance(59_900);
    expect(fail(remembered)).toBe(2);
  });

  it('do not start again for a child that was degraded in between', () => {
    const bench = openBench();
    fail(bench);
    bench.child(...BOOT, READY);
    bench.clock.advance(40_000);
    bench.child(DEGRADED, READY);
    bench.clock.advance(40_000);
    expect(fail(bench)).toBe(2);
  });

  it('do not start again for time in which we were suspended', () => {
    const bench = openBench();
    fail(bench);
    bench.child(...BOOT, READY);
    bench.clock.advance(10_000);
    bench.clock.suspend(3_600_000);
    expect(fail(bench)).toBe(2);
  });

  it('tell when the next attempt is', () => {
    const bench = openBench();
    bench.child(FAILED);
    expect(bench.published.at(-1)).toEqual({ state: 'retrying', reason: 'child_failed', pid: null, retryInMs: 1_000 });
  });
});

describe('planned restarts', () => {
  it('are immediate after ready, and delayed when they follow each other within a minute', () => {
    const bench = openBench();
    const delays = [1, 2, 3, 4].map(() => {
      const before = bench.starts();
      bench.child(...BOOT, READY, ...PLANNED);
      return bench.starts() > before ? 0 : secondsToNextStart(bench);
    });
    expect(delays).toEqual([0, 1, 2, 4]);
  });

  it('are immediate again a minute later', () => {
    const bench = openBench();
    for (let round = 0; round < 3; round += 1) {
      bench.child(...BOOT, READY);
      bench.clock.advance(61_000);
      const before = bench.starts();
      bench.child(...PLANNED);
      expect(bench.starts()).toBe(before + 1);
    }
  });

  it('are delayed when the child had not been ready', () => {
    const bench = openBench();
    bench.child(...BOOT, ...PLANNED);
    expect(secondsToNextStart(bench)).toBe(1);
  });

  it('do not count for --max-failures', () => {
    const bench = openBench({ policy: { maxFailures: 1 } });
    bench.child(...BOOT, READY, ...PLANNED);
    bench.child(...BOOT, ...PLANNED);
    expect(secondsToNextStart(bench)).toBe(1);
    expect(bench.ending()).toBeUndefined();
  });

  it('need both the word and the code', () => {
    const bench = openBench();
    bench.child(...BOOT, READY, { name: 'exited', code: 75, signal: null });
    expect(bench.published.at(-1)).toMatchObject({ state: 'retrying', reason: 'child_failed' });
  });
});

describe('the boot timeout', () => {
  it('parks a child that never spoke and retries one that did', () => {
    const silent = openBench();
    silent.clock.advance(300_000);
    expect(silent.published.at(-1)).toMatchObject({ state: 'parked', reason: 'no_protocol' });

    const slow = openBench();
    slow.child({ name: 'task_loaded', woodsVersion: '2.0.0' });
    slow.clock.advance(300_000);
    expect(slow.published.at(-1)).toMatchObject({ state: 'retrying', reason: 'boot_timeout' });
  });

  it('does not run while we are suspended, and ends with identity', () => {
    const bench = openBench();
    bench.clock.advance(100_000);
    bench.clock.suspend(3_600_000);
    bench.clock.advance(190_000);
    bench.child(...BOOT);
    bench.clock.advance(1_000_000);
    expect(bench.published.at(-1)).toMatchObject({ state: 'reconciling' });
  });
});

describe('a child that has said its last word', () => {
  const TERMINALS = ['restart_required', 'already_running', 'stopped', 'idle', 'unsupported_environment'] as const;

  it.each(TERMINALS)('is not told as ready any more after a second: %s', (reason) => {
    const bench = openBench();
    bench.child(...BOOT, READY, { name: 'terminal', reason });
    expect(bench.published.at(-1)).toMatchObject({ state: 'ready' });
    bench.clock.advance(1_000);
    expect(bench.published.at(-1)).toMatchObject({ state: 'degraded', reason });
    bench.clock.advance(28_000);
    expect(bench.calls).not.toContain('1 stop');
  });

  it('and does not end is stopped and started again when it asked for that', () => {
    const bench = openBench();
    bench.child(...BOOT, READY, { name: 'terminal', reason: 'restart_required' });
    bench.clock.advance(30_000);
    expect(bench.calls).toContain('1 stop');
    expect(bench.starts()).toBe(2);
  });

  it.each(TERMINALS.slice(1))('and does not end is stopped, and parks us: %s', (reason) => {
    const bench = openBench();
    bench.child({ name: 'task_loaded', woodsVersion: '2.0.0' }, { name: 'terminal', reason });
    bench.clock.advance(30_000);
    expect(bench.published.at(-1)).toMatchObject({ state: 'parked', reason });
    expect(bench.starts()).toBe(1);
  });

  it('is given the time in which we are suspended', () => {
    const bench = openBench();
    bench.child(...BOOT, READY, { name: 'terminal', reason: 'restart_required' });
    bench.clock.advance(10_000);
    bench.clock.suspend(3_600_000);
    bench.clock.advance(9_000);
    expect(bench.starts()).toBe(1);
  });

  it('counts no failure when it ends as it said', () => {
    const bench = openBench();
    bench.child(
      ...BOOT,
      READY,
      { name: 'terminal', reason: 'restart_required' },
      { name: 'exited', code: 75, signal: null },
    );
    bench.clock.advance(60_000);
    expect(bench.starts()).toBe(2);
    expect(bench.calls.filter((call) => call === '2 stop')).toEqual([]);
  });
});

describe('endings', () => {
  it('carry the code of the child that failed once too often', async () => {
    const bench = openBench({ policy: { maxFailures: 2 } });
    fail(bench);
    bench.child({ name: 'exited', code: null, signal: 11 });
    await Promise.resolve();
    expect(bench.ending()).toEqual({ by: 'code', code: 139 });
    expect(bench.lines.at(-1)?.text).toMatch(/failure 2 of --max-failures/);
  });

  it('are 78 when parked with --exit-on-park', async () => {
    const bench = openBench({ policy: { exitOnPark: true } });
    bench.child({ name: 'exited', code: 0, signal: null });
    await Promise.resolve();
    expect(bench.ending()).toEqual({ by: 'code', code: 78 });
  });

  it('wait for the tree, and take nothing up afterwards', async () => {
    const bench = openBench({ stops: 'when told' });
    bench.child(...BOOT, READY);
    bench.owner({ name: 'stop', signal: 'SIGTERM' });
    bench.child(...PLANNED);
    await Promise.resolve();
    expect(bench.ending()).toBeUndefined();
    bench.child({ name: 'tree_gone', left: [] });
    await Promise.resolve();
    expect(bench.ending()).toEqual({ by: 'signal', signal: 'SIGTERM' });
    bench.clock.advance(1_000_000);
    expect(bench.starts()).toBe(1);
  });
});

describe('an idle supervisor', () => {
  it('has one timer', () => {
    const bench = openBench();
    bench.child(...BOOT, READY);
    bench.clock.advance(30_000);
    expect(bench.clock.pending()).toBe(1);
  });

  it('does not listen to an attempt that is over', () => {
    const bench = openBench();
    bench.child(...BOOT, READY);
    bench.owner({ name: 'restart' });
    expect(bench.calls).toContain('1 close');
    const before = bench.published.length;
    bench.childOf(1, FAILED);
    expect(bench.published).toHaveLength(before);
    expect(bench.starts()).toBe(2);
  });
});

describe('the state of the child', () => {
  it('is said when it changes, however often the child repeats it', () => {
    const bench = openBench();
    const flood = Array.from({ length: 100 }, (_, generation): Event => ({ ...DEGRADED, generation }));
    bench.child(...BOOT, ...flood, READY, READY, DEGRADED);
    const events = bench.lines.map(({ event }) => event);
    expect(events.filter((event) => event === 'degraded' || event === 'ready')).toEqual([
      'degraded',
      'ready',
      'degraded',
    ]);
  });
});
