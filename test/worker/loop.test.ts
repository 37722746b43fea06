import { BackendFailure, type Batch, emptyBatch, openSettler } from '@woods/watch';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CycleResult, Daemon } from '../../packages/worker/src/cycle/daemon.ts';
import type { Changes } from '../../packages/worker/src/policy/sort.ts';
import { watchLoop } from '../../packages/worker/src/run/loop.ts';
import type { Condition } from '../../packages/worker/src/status/condition.ts';

interface Happening {
  /** Virtual ms since the start. */
  readonly at: number;
  readonly paths?: string[];
  readonly batch?: Partial<Batch>;
  /** The back end dies. */
  readonly dies?: boolean;
}

interface Ran {
  readonly at: number;
  readonly what: string;
}

const running: Condition = {
  trouble: null,
  generation: 1,
  caughtUp: true,
  held: [],
  pending: 0,
  lastRun: null,
  lastError: null,
};
const contended: Condition = { ...running, trouble: { reason: 'contended', message: 'busy' }, pending: 1 };
const failing: Condition = { ...running, trouble: { reason: 'extraction_failed', message: 'broken' }, pending: 1 };
const dying: Condition = { ...running, trouble: { reason: 'thread_died', message: 'out of memory' }, pending: 'all' };
const restarting: Condition = { ...running, trouble: { reason: 'restart_required', message: 'package.json' } };

/** A loop on virtual time: each wait jumps to the next happening or to its own end, whatever comes first. */
async function play(
  happenings: Happening[],
  options: {
    debounceMs?: number;
    idleTimeoutMs?: number;
    /** Condition after the nth cycle; the last one stays. */
    conditions?: Condition[];
    start?: Condition;
    cycleMs?: number;
    lockUntil?: number;
  } = {},
) {
  const { debounceMs = 100, conditions = [running], cycleMs = 10, lockUntil = 0 } = options;
  const waiting = [...happenings];
  const ran: Ran[] = [];
  const said: string[] = [];
  let clock = 0;
  let waits = 0;
  let condition = options.start ?? running;
  const now = () => clock;

  async function wait(timeoutMs: number): Promise<Batch> {
    waits += 1;
    if (waits > 500) throw new Error('the loop spins');
    const next = waiting[0];
    if (next === undefined && timeoutMs >= 3_600_000) throw new BackendFailure('polling', 'the play is over');
    if (next === undefined || next.at > clock + timeoutMs) {
      clock += timeoutMs;
      return emptyBatch();
    }
    clock = Math.max(clock, next.at);
    const batch = emptyBatch();
    const merged = { ...batch, ...next.batch, paths: new Set(next.batch?.paths ?? []) };
    while (waiting[0] !== undefined && waiting[0].at <= clock) {
      const came = waiting.shift();
      if (came?.dies) throw new BackendFailure('polling', 'it died');
      for (const path of came?.paths ?? []) merged.paths.add(path);
    }
    return merged;
  }

  async function cycle(what: string): Promise<CycleResult> {
    ran.push({ at: clock, what });
    clock += cycleMs;
    condition = conditions[Math.min(ran.length, conditions.length) - 1] ?? running;
    const action = condition.trouble?.reason === 'restart_required' ? 'restart' : 'update';
    return {
      action,
      state: condition.trouble === null ? 'running' : 'degraded',
      generation: 1,
      count: 1,
      durationMs: cycleMs,
    };
  }
  const name = ({ files, directories, overflow }: Changes) =>
    [...files, ...directories, ...(overflow ? ['overflow'] : [])].sort().join(' ');
  const daemon: Daemon = {
    process: (paths) => cycle([...paths].join(' ')),
    cycle: (changes) => cycle(name(changes)),
    start: () => cycle('start'),
    retry: () => cycle('retry'),
    fail: (trouble) => {
      condition = { ...condition, trouble };
    },
    leave: () => {},
    condition: () => condition,
  };
  const end = await watchLoop({
    backend: { wait },
    settler: openSettler({ debounceMs, maxWaitMs: 500, now }),
    daemon,
    learned: { extended: new Set(), indexDir: 'tmp/woods' },
    run: 'managed',
    idleTimeoutMs: options.idleTimeoutMs ?? null,
    over: new AbortController().signal,
    indexLockMs: () => (clock < lockUntil ? clock : null),
    say: (line) => said.push(line),
    now,
  });
  return { end, ran, said, clock, waits, condition };
}

const times = ({ ran }: { ran: Ran[] }) => ran.map(({ at, what }) => `${at} ${what}`);

describe('settling', () => {
  it('waits for quiet, and takes all that came in one cycle', async () => {
    const played = await play([
      { at: 1000, paths: ['a.ts'] },
      { at: 1060, paths: ['b.ts'] },
      { at: 3000, paths: ['c.ts'] },
    ]);
    expect(times(played)).toEqual(['1160 a.ts b.ts', '3100 c.ts']);
  });

  it('does not wait for ever while saves go on', async () => {
    const played = await play(Array.from({ length: 20 }, (_, n) => ({ at: 1000 + n * 50, paths: [`${n}.ts`] })));
    expect(played.ran[0]?.at).toBe(1500);
    expect(played.ran.map(({ what }) => what.split(' ').length).reduce((a, b) => a + b)).toBe(20);
  });

  it('with debounce 0 starts at once', async () => {
    expect(times(await play([{ at: 700, paths: ['a.ts'] }], { debounceMs: 0 }))).toEqual(['700 a.ts']);
  });

  it('holds the batch while git rewrites the tree', async () => {
    const played = await play([{ at: 1000, paths: ['a.ts'] }], { lockUntil: 2000 });
    expect(played.ran[0]?.at).toBeGreaterThanOrEqual(2000);
    expect(played.ran[0]?.at).toBeLessThan(2100);
  });

  it('is neither delayed nor woken by what nobody asks for', async () => {
    const noise = Array.from({ length: 30 }, (_, n) => ({
      at: 1010 + n * 10,
      paths: [`logo${n}.png`, 'tmp/woods/x.json'],
    }));
    expect(times(await play([{ at: 1000, paths: ['a.ts'] }, ...noise]))).toEqual(['1100 a.ts']);
  });

  it('collapses what comes during a run into one follow-up', async () => {
    const during = Array.from({ length: 9 }, (_, n) => ({ at: 1150 + n * 100, paths: [`${n}.ts`] }));
    const played = await play([{ at: 1000, paths: ['a.ts'] }, ...during], { cycleMs: 1000 });
    expect(played.ran).toHaveLength(2);
  });

  it('hands on an overflow', async () => {
    expect(times(await play([{ at: 50, batch: { overflow: true, reason: 'queue-overflow' } }]))).toEqual([
      '150 overflow',
    ]);
  });
});

describe('a degraded worker', () => {
  it('tries again by itself, less and less often, and stops trying once it has worked', async () => {
    const conditions = [failing, failing, failing, running];
    expect(times(await play([{ at: 0, paths: ['a.ts'] }], { conditions, debounceMs: 0, cycleMs: 0 }))).toEqual([
      '0 a.ts',
      '1000 retry',
      '3000 retry',
      '7000 retry',
    ]);
  });

  it('goes on with the next event', async () => {
    const happenings = [
      { at: 0, paths: ['a.ts'] },
      { at: 200, paths: ['b.ts'] },
    ];
    const played = await play(happenings, { conditions: [contended, running], debounceMs: 0, cycleMs: 0 });
    expect(times(played)).toEqual(['0 a.ts', '200 b.ts']);
  });

  it('is not put off by ignored events', async () => {
    const noise = Array.from({ length: 50 }, (_, n) => ({ at: 20 + n * 90, paths: ['logo.png'] }));
    const played = await play([{ at: 0, paths: ['a.ts'] }, ...noise], {
      conditions: [contended, running],
      debounceMs: 0,
      cycleMs: 0,
    });
    expect(times(played)).toEqual(['0 a.ts', '1000 retry']);
  });

  it('that started so tries again without an event', async () => {
    expect(times(await play([], { start: contended, cycleMs: 0 }))).toEqual(['1000 retry']);
  });
});

describe('the end', () => {
  it('is a restart when a cycle asks for it', async () => {
    const { end } = await play([{ at: 0, paths: ['package.json'] }], { conditions: [restarting] });
    expect(end).toMatchObject({ exitCode: 75, terminal: 'restart_required', status: 'last' });
  });

  it('is a failure with one line when the back end dies', async () => {
    const { end, condition } = await play([{ at: 500, dies: true }]);
    expect(end).toMatchObject({ exitCode: 1, terminal: null });
    expect(condition.trouble).toMatchObject({ reason: 'backend_failed', message: expect.stringContaining('it died') });
  });

  it('is a failure after three dead threads in a row', async () => {
    const { end, ran } = await play([{ at: 0, paths: ['a.ts'] }], { conditions: [dying] });
    expect(end).toMatchObject({ exitCode: 1, line: expect.stringContaining('out of memory') });
    expect(ran).toHaveLength(3);
  });

  it('is idleness after the quiet time; work is not idleness, ignored paths are', async () => {
    const happenings = [
      { at: 0, paths: ['a.ts'] },
      { at: 4000, paths: ['b.ts'] },
      ...Array.from({ length: 20 }, (_, n) => ({ at: 4200 + n * 400, paths: ['logo.png'] })),
    ];
    const { end, clock } = await play(happenings, { idleTimeoutMs: 5000, cycleMs: 3000 });
    expect(end).toMatchObject({ exitCode: 0, terminal: 'idle', status: 'stopped' });
    expect(clock).toBe(4100 + 3000 + 5000);
  });

  it('is no idleness while something is owed', async () => {
    const { end, ran } = await play([{ at: 0, paths: ['a.ts'] }], {
      conditions: [failing, failing, failing, running],
      idleTimeoutMs: 1500,
      debounceMs: 0,
      cycleMs: 0,
    });
    expect(end).toMatchObject({ terminal: 'idle' });
    expect(ran).toHaveLength(4);
  });
});

describe('a missing root', () => {
  it('suspends everything until it is back', async () => {
    const played = await play(
      [
        { at: 0, paths: ['a.ts'] },
        { at: 500, batch: { reason: 'root-gone' } },
        { at: 60_000, batch: { reason: 'root-gone', overflow: true } },
      ],
      { conditions: [failing, running], debounceMs: 0, cycleMs: 0 },
    );
    expect(times(played)).toEqual(['0 a.ts', '60000 overflow']);
    expect(played.said).toEqual([expect.stringContaining('root is missing')]);
  });
});

describe('in general', () => {
  it('hands every relevant path to a cycle, soon, and never spins', async () => {
    const happening = fc.record({
      at: fc.integer({ min: 0, max: 20_000 }),
      paths: fc.array(fc.constantFrom('a.ts', 'b.md', 'c.png', 'd.json'), { minLength: 1, maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { maxLength: 12 }),
        fc.constantFrom(0, 100, 2000),
        async (all, debounceMs) => {
          const happenings = all.sort((a, b) => a.at - b.at);
          const { ran } = await play(happenings, { debounceMs, cycleMs: 100 });
          for (const { at, paths } of happenings) {
            for (const path of paths.filter((one) => !one.endsWith('.png'))) {
              const soon = at + Math.max(500, debounceMs) + 200;
              const seen = ran.some(
                (cycle) => cycle.at >= at && cycle.at <= soon && cycle.what.split(' ').includes(path),
              );
              expect(seen).toBe(true);
            }
          }
        },
      ),
    );
  });
});
