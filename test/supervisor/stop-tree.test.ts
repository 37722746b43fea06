import { describe, expect, it } from 'vitest';
import { type Leader, watchGroup } from '../../packages/supervisor/src/stop/group.ts';
import { stopTree } from '../../packages/supervisor/src/stop/stop-tree.ts';
import { createFakeClock } from './support/fake-clock.ts';
import { createFakeMachine, type FakeMachine, type FakeProcess } from './support/fake-processes.ts';

const OWN_PID = 50;
const SHELL = { pid: 40, ppid: 1, pgid: 40, start: 'b:1' };
const US = { pid: OWN_PID, ppid: 40, pgid: 50, start: 'b:2' };
const LEADER = { pid: 100, ppid: OWN_PID, pgid: 100, start: 'b:10' };
const TOKEN = 'the-token';
const GRACE_MS = 1_000;

interface Meanwhile {
  readonly atMs: number;
  run(): void;
}

/** Stops the tree of the leader on a fake machine, and lets something happen meanwhile. */
async function stop(
  machine: FakeMachine,
  options: { leader?: Leader | null; meanwhile?: Meanwhile; impatience?: AbortSignal } = {},
): Promise<{ left: readonly number[]; tookMs: number }> {
  const clock = createFakeClock();
  const began = clock.now();
  const state = { settled: false };
  const stopped = stopTree(
    {
      leader: options.leader === undefined ? LEADER : options.leader,
      token: TOKEN,
      graceMs: GRACE_MS,
      impatience: options.impatience ?? new AbortController().signal,
    },
    { clock, ...machine, ownPid: OWN_PID, killDescendants: () => Promise.resolve() },
  ).finally(() => {
    state.settled = true;
  });
  for (let ms = 0; ms < 20_000; ms += 1) {
    if (options.meanwhile?.atMs === ms) options.meanwhile.run();
    await new Promise((resolve) => setImmediate(resolve));
    if (state.settled) break;
    clock.advance(1);
  }
  return { left: await stopped, tookMs: clock.now() - began };
}

function machineWith(...tree: readonly FakeProcess[]): FakeMachine {
  return createFakeMachine([SHELL, US, LEADER, ...tree]);
}

describe('stopping a tree', () => {
  it('sends CONT, then TERM to the group, and nothing more when that is enough', async () => {
    const machine = machineWith({ pid: 101, ppid: 100, pgid: 100, start: 'b:11' });
    const { left, tookMs } = await stop(machine);
    expect(machine.sent).toEqual(['CONT -100', 'TERM -100']);
    expect(machine.living()).toEqual([40, 50]);
    expect(left).toEqual([]);
    expect(tookMs).toBeLessThan(20);
  });

  it('waits for the group and not for its leader, and kills it at the grace', async () => {
    const machine = machineWith({ pid: 101, ppid: 100, pgid: 100, start: 'b:11', ignoresTerm: true });
    const { tookMs } = await stop(machine);
    expect(machine.sent).toEqual(['CONT -100', 'TERM -100', 'KILL -100']);
    expect(machine.living()).toEqual([40, 50]);
    expect(tookMs).toBeGreaterThanOrEqual(GRACE_MS);
    expect(tookMs).toBeLessThan(GRACE_MS + 100);
  });

  it('finds escapees by descent, seen before their parent ended', async () => {
    const machine = machineWith(
      { pid: 101, ppid: 100, pgid: 101, start: 'b:11' },
      { pid: 102, ppid: 101, pgid: 102, start: 'b:12', ignoresTerm: true },
    );
    await stop(machine);
    expect(machine.living()).toEqual([40, 50]);
    expect(machine.sent).toContain('TERM 101');
    expect(machine.sent).toContain('KILL 102');
  });

  it('finds escapees by token, and those that they start while they are stopped', async () => {
    const machine = machineWith({ pid: 201, ppid: 1, pgid: 201, start: 'b:20', token: TOKEN, ignoresTerm: true });
    const child = { pid: 202, ppid: 1, pgid: 202, start: 'b:21', token: TOKEN, ignoresTerm: true };
    await stop(machine, { meanwhile: { atMs: 500, run: () => machine.add(child) } });
    expect(machine.living()).toEqual([40, 50]);
  });

  it('finds escapees that came to us when their parent ended, and what is below them, but not what is in the group', async () => {
    const adopted = { ppid: OWN_PID, adopted: true };
    const machine = machineWith(
      { ...adopted, pid: 401, pgid: 401, start: 'b:41', ignoresTerm: true },
      { pid: 402, ppid: 401, pgid: 402, start: 'b:42' },
      { ...adopted, pid: 403, pgid: 100, start: 'b:43' },
      { pid: 60, ppid: OWN_PID, pgid: 60, start: 'b:6' },
    );
    await stop(machine);
    expect(machine.living()).toEqual([40, 50, 60]);
    expect(machine.sent).toContain('KILL 401');
    expect(machine.sent).not.toContain('TERM 403');
  });

  it('never signals itself or its ancestors, whatever their environment says', async () => {
    const machine = createFakeMachine([{ ...SHELL, token: TOKEN }, { ...US, token: TOKEN }, LEADER]);
    await stop(machine);
    expect(machine.sent).toEqual(['CONT -100', 'TERM -100']);
  });

  it('does not signal a group whose number another process has by now', async () => {
    const machine = createFakeMachine([SHELL, US, { ...LEADER, start: 'b:99' }]);
    expect((await stop(machine)).left).toEqual([]);
    expect(machine.sent).toEqual([]);
  });

  it('does not kill an escapee whose number another process has by now', async () => {
    const machine = machineWith({ pid: 101, ppid: 100, pgid: 101, start: 'b:11', ignoresTerm: true });
    const reuse = (): void => {
      machine.remove(101);
      machine.add({ pid: 101, ppid: 1, pgid: 101, start: 'b:77' });
    };
    await stop(machine, { meanwhile: { atMs: 300, run: reuse } });
    expect(machine.living()).toEqual([40, 50, 101]);
    expect(machine.sent).not.toContain('KILL 101');
  });

  it('tells what even KILL does not end', async () => {
    const machine = machineWith({ pid: 101, ppid: 100, pgid: 100, start: 'b:11', unkillable: true });
    expect((await stop(machine)).left).toEqual([101]);
  });

  it('looks for the token alone when nothing was started', async () => {
    const machine = createFakeMachine([SHELL, US, { pid: 300, ppid: 1, pgid: 300, start: 'b:30', token: TOKEN }]);
    await stop(machine, { leader: null });
    expect(machine.sent).toEqual(['CONT 300', 'TERM 300']);
  });

  it('kills everything at once for an owner who has lost patience', async () => {
    const machine = machineWith(
      { pid: 101, ppid: 100, pgid: 100, start: 'b:11', ignoresTerm: true },
      { pid: 102, ppid: 100, pgid: 102, start: 'b:12', ignoresTerm: true },
    );
    const impatience = new AbortController();
    const meanwhile = { atMs: 100, run: () => impatience.abort() };
    const { tookMs } = await stop(machine, { impatience: impatience.signal, meanwhile });
    expect(machine.living()).toEqual([40, 50]);
    expect(tookMs).toBeLessThan(150);
  });
});

describe('a group', () => {
  it('is never signalled again once it was seen empty', () => {
    const machine = machineWith();
    const group = watchGroup(LEADER, machine);
    machine.remove(100);
    expect(group.isEmpty()).toBe(true);
    machine.add(LEADER);
    group.signal('SIGTERM');
    expect(machine.sent).toEqual([]);
  });
});
