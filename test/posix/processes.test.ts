import { once } from 'node:events';
import { groupMembers, isDescendant, listProcesses, processesWithToken, readProcess } from '@woods/posix';
import { newToken } from '@woods/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../support/until.ts';
import { unreapedChildren } from '../support/zombie.ts';
import { start } from './support/process.ts';

/** Ends a process that is no child of ours, or a group by its negative number. */
function killAfterTest(pid: number): void {
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // the test ended it
    }
  });
}

describe.runIf(process.platform === 'linux')('the process table', () => {
  it('knows a process by its parent, group, session and state', async () => {
    const sleeper = await start('sleep', ['60'], { detached: true });
    const { pid } = sleeper;
    const found = await until(() => (readProcess(pid)?.state === 'S' ? readProcess(pid) : null), { what: 'it sleeps' });
    expect(found).toEqual({
      pid,
      ppid: process.pid,
      pgid: pid,
      session: pid,
      state: 'S',
      start: expect.stringMatching(/^[0-9a-f-]{36}:\d+$/),
    });
    expect(listProcesses()).toContainEqual(found);
    await sleeper.kill();
    expect(readProcess(pid)).toBeNull();
    expect(listProcesses().some((info) => info.pid === pid)).toBe(false);
  });

  it('knows descendants at any depth, living ones only', async () => {
    const top = await start('sh', ['-c', 'sh -c "sleep 60 & echo \\$!; wait" & echo $!; wait']);
    const numbers = [Number(await top.line()), Number(await top.line())];
    for (const pid of numbers) killAfterTest(pid);
    const [middle = 0, bottom = 0] = readProcess(numbers[1] ?? 0)?.ppid === numbers[0] ? numbers : numbers.reverse();
    expect(isDescendant(middle, top.pid)).toBe(true);
    expect(isDescendant(bottom, top.pid)).toBe(true);
    expect(isDescendant(bottom, process.pid)).toBe(true);
    expect(isDescendant(top.pid, bottom)).toBe(false);
    expect(isDescendant(middle, middle)).toBe(false);
    expect(isDescendant(process.pid, top.pid)).toBe(false);
    expect(isDescendant(2 ** 30, top.pid)).toBe(false);
    process.kill(bottom, 'SIGKILL');
    await top.ended;
    expect(isDescendant(bottom, process.pid)).toBe(false);
  });

  it('counts the members of a group that have not ended', async () => {
    const { parent, children } = await unreapedChildren(2);
    const leader = parent.pid ?? 0;
    killAfterTest(-leader);
    const [zombie = 0, second = 0] = children;
    expect(readProcess(zombie)).toMatchObject({ pgid: leader, state: 'Z' });
    expect(groupMembers(leader).sort((a, b) => a - b)).toEqual([leader, second].sort((a, b) => a - b));
    process.kill(-leader, 'SIGKILL');
    await once(parent, 'exit');
    await until(() => groupMembers(leader).length === 0, { what: 'the group is empty' });
  });

  it('finds a token in the environment of who left its group, session and parent', async () => {
    const token = newToken();
    const env = { ...process.env, WOODS_WATCH_ATTEMPT_TOKEN: token };
    const leaving = 'setsid sh -c "(sleep 60 </dev/null >/dev/null 2>&1 & echo \\$!)"; exec sleep 60';
    const leader = await start('sh', ['-c', leaving], { detached: true, env });
    const escapee = Number(await leader.line());
    killAfterTest(escapee);
    await until(() => readProcess(escapee)?.ppid !== leader.pid, { what: 'the escapee has another parent' });
    const both = [leader.pid, escapee].sort((a, b) => a - b);
    await until(() => processesWithToken(token).length === 2, { what: 'leader and escapee carry it' });
    expect(processesWithToken(token).sort((a, b) => a - b)).toEqual(both);
    expect(isDescendant(escapee, leader.pid)).toBe(false);
    expect(processesWithToken(token.slice(0, -1))).toEqual([]);
    expect(processesWithToken(newToken())).toEqual([]);
    await leader.kill();
    expect(processesWithToken(token)).toEqual([escapee]);
    process.kill(escapee, 'SIGKILL');
    await until(() => processesWithToken(token).length === 0, { what: 'nobody carries it' });
  });

  it('finds a token in its own variable only', async () => {
    const token = newToken();
    const entry = `WOODS_WATCH_ATTEMPT_TOKEN=${token}`;
    const env = { ...process.env, OTHER: entry, X_WOODS_WATCH_ATTEMPT_TOKEN: token, LINES_OF_IT: `a\n${entry}\n` };
    const sleeper = await start('sleep', ['60'], { env });
    await until(() => readProcess(sleeper.pid)?.state === 'S', { what: 'it sleeps' });
    expect(processesWithToken(token)).toEqual([]);
    sleeper.child.kill('SIGKILL');
    await once(sleeper.child, 'exit');
  });

  it('finds a token at either end of an environment of any size', async () => {
    const entry = (token: string): [string, string] => ['WOODS_WATCH_ATTEMPT_TOKEN', token];
    for (const length of [0, 10, 32_600, 32_700, 32_768, 65_536, 120_000]) {
      const [first, last] = [newToken(), newToken()];
      const filling: [string, string][] = [['A', 'x'.repeat(length)]];
      const one = await start('sleep', ['60'], { env: Object.fromEntries([entry(first), ...filling]) });
      const other = await start('sleep', ['60'], { env: Object.fromEntries([...filling, entry(last)]) });
      await until(() => processesWithToken(last).length === 1, { what: 'the last one is found' });
      expect([processesWithToken(first), processesWithToken(last)]).toEqual([[one.pid], [other.pid]]);
      for (const { child } of [one, other]) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
  });
});
