/** What may strike a supervisor, its guardian or its child, against every kind of tree: nothing may be left, and what is only suspended goes on. */
import { readFileSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventually } from '../supervisor/support/eventually.ts';
import { speaking } from '../supervisor/support/speech.ts';
import { TREES } from '../supervisor/support/trees.ts';
import { type Running, watch } from '../supervisor/support/woods-watch.ts';
import { until } from '../support/until.ts';

/** Long enough for a deadline that forgot suspensions to be noticed. */
const SUSPENSION_MS = 300;
/** Starts that are struck early, for each tree; and the time in which that falls. */
const EARLY_KILLS = 3;
const EARLY_MS = 12;

/** Where a supervisor stands when it is struck. */
interface Column {
  readonly script: string;
  /** Brings a started supervisor there. */
  readonly arrive: (running: Running) => Promise<unknown>;
  /** Whether a child lives there. */
  readonly child: 'lives' | 'is gone';
}

const withTree = (script: string): Column => ({ script, arrive: reachReady, child: 'lives' });
const saying = (tree: string): string => tree.replace('echo up', 'become_ready');

const COLUMNS: Readonly<Record<string, Column>> = {
  plain: withTree(saying(TREES.plain)),
  'that ignores TERM': withTree(saying(TREES['ignores TERM'])),
  'with a grandchild that ignores TERM': withTree(saying(TREES['a grandchild ignores TERM while the leader obeys'])),
  'with a setsid descendant': withTree(saying(TREES['has escaped with setsid'])),
  'with a setsid descendant that ignores TERM': withTree(saying(TREES['has escaped with setsid and ignores TERM'])),
  'with double-forked descendants': withTree(saying(TREES['has forked twice and left'])),
  'of 200 processes': withTree('for n in $(seq 199); do sleep 1000 & done; become_ready; wait'),
  'still starting': {
    script: `say '"task_loaded","woods_version":"2.0.0"'; sleep 1000 & echo up; wait`,
    async arrive(running) {
      await running.says(/started the command/);
      await eventually('the command', () => running.stdout().includes('up'));
    },
    child: 'lives',
  },
  'backing off': { script: 'become_ready; setsid sleep 1000 & exit 9', arrive: reachLongBackOff, child: 'is gone' },
  parked: {
    script: 'become_ready; setsid sleep 1000 & exit 0',
    arrive: (running) => running.reaches('parked', 'child_finished'),
    child: 'is gone',
  },
};

function reachReady(running: Running): Promise<unknown> {
  return running.reaches('ready');
}

/** Far enough that no retry comes in between: the fourth failure waits for 8 s. */
async function reachLongBackOff(running: Running): Promise<void> {
  for (const failure of [1, 2, 3, 4]) {
    await running.says(new RegExp(`\\(failure ${failure}\\)`));
    if (failure < 4) running.signal('SIGUSR2');
  }
  await running.reaches('retrying', 'child_failed');
}

type Row = (running: Running, column: Column) => Promise<void>;

const ROWS: Readonly<Record<string, Row>> = {
  async 'kill -9 of the supervisor'(running) {
    running.signal('SIGKILL');
    await nothingLeft(running);
  },

  async "kill -9 of the supervisor's process group"(running) {
    process.kill(-running.pid, 'SIGKILL');
    await nothingLeft(running);
  },

  async 'kill -9 of the guardian, and then of the supervisor'(running, column) {
    const before = running.record();
    const first = await theGuardian(running);
    process.kill(first, 'SIGKILL');
    await running.says(/guardian had ended and has been replaced/);
    expect(await theGuardian(running)).not.toBe(first);
    const told = running.record();
    expect(told?.state).toBe(before?.state);
    if (before?.state === 'ready') await running.reaches('ready', 'guardian_replaced');
    if (column.child === 'lives') expect(treeOf(running).length).toBeGreaterThan(0);
    running.signal('SIGKILL');
    await nothingLeft(running);
  },

  async "kill -9 of the child's leader"(running) {
    const tree = treeOf(running);
    process.kill(await leaderOf(running), 'SIGKILL');
    await running.says(/ended by signal 9; starting it again/);
    expect(treeOf(running).filter((pid) => tree.includes(pid))).toEqual([]);
    await goesOn(running);
  },

  async 'STOP and CONT of the supervisor'(running) {
    await suspend(running, running.pid);
    await goesOn(running);
  },

  async 'STOP and CONT of the guardian, and kill -9 of the supervisor'(running) {
    await suspend(running, await theGuardian(running));
    expect(running.stderr()).not.toMatch(/guardian had ended/);
    running.signal('SIGKILL');
    await nothingLeft(running);
  },

  async 'kill -9 of the supervisor while its guardian is stopped'(running) {
    const guardian = await theGuardian(running);
    process.kill(guardian, 'SIGSTOP');
    await isStopped(guardian);
    running.signal('SIGKILL');
    await running.ended();
    process.kill(guardian, 'SIGCONT');
    await nothingLeft(running);
  },

  async "STOP and CONT of the child's leader"(running) {
    await suspend(running, await leaderOf(running));
    await goesOn(running);
  },

  async "kill -9 of the supervisor while the child's leader is stopped"(running) {
    const leader = await leaderOf(running);
    process.kill(leader, 'SIGSTOP');
    await isStopped(leader);
    running.signal('SIGKILL');
    await nothingLeft(running);
  },

  async "TERM of the supervisor while the child's leader is stopped"(running) {
    const leader = await leaderOf(running);
    process.kill(leader, 'SIGSTOP');
    await isStopped(leader);
    await stopsInOrder(running);
  },
};

const OF_LEADERS = /leader/;

describe.each(Object.entries(ROWS))('%s', (row, strike) => {
  const columns = Object.entries(COLUMNS).filter(([, { child }]) => child === 'lives' || !OF_LEADERS.test(row));
  it.concurrent.each(columns)('leaves nothing of a tree or supervisor %s', async (_, column) => {
    await withSupervisor(column.script, ['--shutdown-timeout', '0.3'], async (running) => {
      await column.arrive(running);
      await strike(running, column);
    });
  });
});

describe('kill -9 of the supervisor in the first moments of an attempt', () => {
  const columns = Object.entries(COLUMNS).filter(([, { child }]) => child === 'lives');
  it.concurrent.each(columns)('leaves nothing of a tree %s', async (_, column) => {
    for (let kill = 0; kill < EARLY_KILLS; kill += 1) {
      const delay = Math.random() * EARLY_MS;
      await withSupervisor(column.script, ['--shutdown-timeout', '0.3'], async (running) => {
        await theGuardian(running);
        await after(delay);
        running.signal('SIGKILL');
        await nothingLeft(running, `killed after ${delay} ms`);
      });
    }
  });
});

describe('a supervisor that is stopped for longer than the boot timeout', () => {
  it('counts no more than a slice of it, and kills nothing', async () => {
    const script = `say '"task_loaded","woods_version":"2.0.0"'; echo up; sleep 1000`;
    await withSupervisor(script, ['--boot-timeout', '3'], async (running) => {
      await eventually('the command', () => running.stdout().includes('up'));
      await suspend(running, running.pid, 3_500);
      // the time that is left goes on counting
      await running.says(/did not announce its index within 3 s/);
    });
  });
});

/** Runs a supervisor for the time of `use`, and ends what a failed test left of it. */
async function withSupervisor(
  script: string,
  args: readonly string[],
  use: (running: Running) => Promise<void>,
): Promise<void> {
  const running = watch(speaking(script), { args, detached: true });
  try {
    await use(running);
  } finally {
    running.clean();
  }
}

async function nothingLeft(running: Running, what = ''): Promise<void> {
  await running.ended();
  await until(() => running.survivors().length === 0, { what: `no process is left ${what}`, timeoutMs: 20_000 });
}

/** The supervisor still does its work: a restart leads to the next attempt, a stop to the end of everything. */
async function goesOn(running: Running): Promise<void> {
  const starts = startsOf(running);
  const before = treeOf(running);
  running.signal('SIGUSR2');
  await until(() => startsOf(running) > starts, { what: 'another attempt' });
  expect(treeOf(running).filter((pid) => before.includes(pid))).toEqual([]);
  await stopsInOrder(running);
}

async function stopsInOrder(running: Running): Promise<void> {
  running.signal('SIGTERM');
  expect(await running.ended()).toEqual({ code: 0, signal: null });
  expect(running.survivors()).toEqual([]);
}

/** Stops one process for a while; nothing may be killed or started meanwhile, nor when it goes on. */
async function suspend(running: Running, pid: number, ms = SUSPENSION_MS): Promise<void> {
  const before = running.survivors();
  const record = running.record();
  process.kill(pid, 'SIGSTOP');
  await isStopped(pid);
  await after(ms);
  expect(running.survivors()).toEqual(before);
  process.kill(pid, 'SIGCONT');
  await until(() => stateOf(pid) !== 'T', { what: `${pid} goes on` });
  expect(running.survivors()).toEqual(before);
  expect(running.record()?.state).toBe(record?.state);
}

function isStopped(pid: number): Promise<unknown> {
  return until(() => stateOf(pid) === 'T', { what: `${pid} is stopped` });
}

function theGuardian(running: Running): Promise<number> {
  return eventually('a guardian', running.guardian);
}

async function leaderOf(running: Running): Promise<number> {
  const pid = Number(/as process (\d+)/.exec(await running.says(/as process (\d+)/))?.[1]);
  expect(pid).toBeGreaterThan(1);
  return pid;
}

function startsOf(running: Running): number {
  return running.stderr().split('started the command').length - 1;
}

/** The child's processes: all but the supervisor and its guardian. */
function treeOf(running: Running): number[] {
  const guardian = running.guardian();
  return running.survivors().filter((pid) => pid !== running.pid && pid !== guardian);
}

function stateOf(pid: number): string {
  return /\) (.)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? '';
}
