import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { describeWithTools } from '../support/tools.ts';
import { eventually } from './support/eventually.ts';
import { start } from './support/started.ts';
import { child, type Running, type watch } from './support/woods-watch.ts';

const MANY = 50;
/** They forked twice, left session and group, and cleared their environment: only their descent still tells. */
const daemons = (count: number): string =>
  `for n in $(seq ${count}); do (env -i setsid sleep 1000 >/dev/null 2>&1 &); done`;

const strays = new Set<number>();

afterEach(() => {
  for (const pid of strays) if (stateOf(pid) !== undefined) process.kill(pid, 'SIGKILL');
  strays.clear();
});

/** State letter and parent of a process; undefined when there is none. */
function statOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const [state = '', parent] = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/.*\) /s, '').split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

const stateOf = (pid: number): string | undefined => statOf(pid)?.state;

/** Children of a process, zombies included. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((one) => one > 0 && statOf(one)?.parent === pid);
}

/** Waits until a supervisor has `count` children more than those that it started itself. */
async function adoptedBy(pid: number, own: number, count: number): Promise<number[]> {
  const adopted = await eventually(`${count} orphans`, () => {
    const sleeping = childrenOf(pid).filter((one) => commandOf(one) === 'sleep');
    return childrenOf(pid).length === own + count && sleeping.length === count ? sleeping : undefined;
  });
  for (const one of adopted) strays.add(one);
  return adopted;
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'latin1').trim();
  } catch {
    return '';
  }
}

const onUsr1 = "trap 'exit 42' USR1; echo up; while :; do sleep 1000 & wait $!; done";

describe('orphans of the command', () => {
  it('are reaped when they end, and the status of the command is its own', async () => {
    const running = start(['sh', '-c', `${daemons(MANY)}; ${onUsr1}`], { args: ['--max-failures', '1'] });
    const orphans = await adoptedBy(running.pid, 2, MANY);
    for (const pid of orphans) process.kill(pid, 'SIGKILL');
    await eventually('every one to be reaped', () => childrenOf(running.pid).length === 2);
    await eventually('the command', () => running.stdout().includes('up'));
    running.signal('SIGUSR1');
    expect(await running.ended()).toEqual({ code: 42, signal: null });
    expect(running.survivors()).toEqual([]);
  });

  it('are ended with the command, though nothing in them names it any more', async () => {
    const running = start(['sh', '-c', `${daemons(5)}; exec sleep 1000`]);
    // the command itself is a sleep as well, and no orphan
    const orphans = await eventually('5 orphans', () => {
      const sleeping = childrenOf(running.pid).filter((one) => commandOf(one) === 'sleep');
      return sleeping.length === 6 ? sleeping : undefined;
    });
    for (const one of orphans) strays.add(one);
    running.signal('SIGTERM');
    expect(await running.ended()).toEqual({ code: 0, signal: null });
    expect(orphans.map(stateOf)).toEqual(orphans.map(() => undefined));
  });

  it('are ended before the command is started again', async () => {
    const running = start(['sh', '-c', `${daemons(3)}; ${onUsr1}`]);
    const orphans = await adoptedBy(running.pid, 2, 3);
    running.signal('SIGUSR2');
    await running.says(/started the command[\s\S]*started the command/);
    expect(orphans.map(stateOf)).toEqual([undefined, undefined, undefined]);
    running.signal('SIGTERM');
    await running.ended();
    expect(running.survivors()).toEqual([]);
  });

  it('are left alone when a shell that became us by exec has processes of its own', async () => {
    const running = start(child('ready'), {
      through: ['sh', '-c', 'setsid sleep 1000 >/dev/null 2>&1 & exec "$@"', 'sh'],
    });
    await running.reaches('ready');
    running.signal('SIGTERM');
    expect(await running.ended()).toEqual({ code: 0, signal: null });
    expect(running.survivors().map(commandOf)).toEqual(['sleep']);
  });
});

/** The first process of a namespace of its own, as PID 1 of a container is. */
const NAMESPACE = ['unshare', ...(process.getuid?.() === 0 ? [] : ['-Ur']), '--fork', '--pid', '--mount-proc'];

async function startInit(...[command, options = {}]: Parameters<typeof watch>): Promise<Running & { init: number }> {
  const running = start(command, { ...options, through: NAMESPACE });
  const [init = 0] = await eventually('the first process of the namespace', () => {
    const found = childrenOf(running.pid);
    return found.length === 1 ? found : undefined;
  });
  return { ...running, init };
}

describeWithTools('as PID 1', ['unshare', 'setsid'], () => {
  it('reaps what comes to it, starts no guardian, and tells the status of the command', async () => {
    const running = await startInit(['sh', '-c', `${daemons(MANY)}; ${onUsr1}`], { args: ['--max-failures', '1'] });
    const orphans = await adoptedBy(running.init, 1, MANY);
    expect(running.guardian()).toBeUndefined();
    for (const pid of orphans) process.kill(pid, 'SIGKILL');
    await eventually('every one to be reaped', () => childrenOf(running.init).length === 1);
    await eventually('the command', () => running.stdout().includes('up'));
    process.kill(running.init, 'SIGUSR1');
    expect(await running.ended()).toEqual({ code: 42, signal: null });
    expect(running.survivors()).toEqual([]);
  });

  it.each([
    ['SIGTERM', 0],
    ['SIGINT', 130],
  ] as const)('ends on %s with %i, and nothing is left of its container', async (signal, code) => {
    const running = await startInit(['sh', '-c', `${daemons(5)}; ${onUsr1}`]);
    const orphans = await adoptedBy(running.init, 1, 5);
    process.kill(running.init, signal);
    expect(await running.ended()).toEqual({ code, signal: null });
    expect(orphans.map(stateOf)).toEqual(orphans.map(() => undefined));
  });

  it('leaves what others started in its container when the command is started again', async () => {
    const running = await startInit(['sh', '-c', `${daemons(3)}; ${onUsr1}`]);
    const orphans = await adoptedBy(running.init, 1, 3);
    process.kill(running.init, 'SIGUSR2');
    await running.says(/started the command[\s\S]*started the command/);
    expect(orphans.map(stateOf)).not.toContain(undefined);
    process.kill(running.init, 'SIGTERM');
    await running.ended();
  });
});
