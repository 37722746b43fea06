import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { hasEnded, probeProcess, processStart, readProcessStat, selfIdentity } from '@woods/protocol';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseProcessStat } from '../../packages/protocol/src/identity/process-stat.ts';
import { until } from '../support/until.ts';
import { unreapedChildren } from '../support/zombie.ts';

const REST = '0 -1 4194304 102 0 0 0 0 0 0 0 20 0 1 0 62070 3133440 416';

function killGroup(leader: ChildProcess): void {
  try {
    process.kill(-(leader.pid ?? 0), 'SIGKILL');
  } catch {
    // the group has ended
  }
}

describe('a line of /proc/<pid>/stat', () => {
  it('gives what names and places a process', () => {
    expect(parseProcessStat(`6461 (cat) R 6456 6455 3442 ${REST}`, 'boot')).toEqual({
      pid: 6461,
      ppid: 6456,
      pgid: 6455,
      session: 3442,
      state: 'R',
      start: 'boot:62070',
    });
  });

  it('gives the same whatever the command is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 15 }), (command) => {
        const parsed = parseProcessStat(`7 (${command}) S 1 2 3 ${REST}`, 'boot');
        expect(parsed).toEqual({ pid: 7, ppid: 1, pgid: 2, session: 3, state: 'S', start: 'boot:62070' });
      }),
      { examples: [[') Z 9 9 9 '], ['a) (b'], ['\n'], ['))))']] },
    );
  });

  it('gives nothing when it is cut', () => {
    for (const line of ['', '7', '7 (sh', '7 (sh)', '7 (sh) S', '7 (sh) S 1 2 3 0 -1', `(sh) S 1 2 3 ${REST}`]) {
      expect(parseProcessStat(line, 'boot')).toBeNull();
    }
  });
});

describe.runIf(process.platform === 'linux')('a process', () => {
  it('is this one, with all that names it', () => {
    const self = selfIdentity();
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    expect(self).toEqual({
      pid: process.pid,
      start: expect.stringMatching(/^[0-9a-f-]{36}:\d+$/),
      host: hostname(),
      boot,
    });
    expect(self.start?.startsWith(`${boot}:`)).toBe(true);
    expect(probeProcess(process.pid)).toEqual({ start: self.start, suspended: false });
    expect(processStart(process.pid)).toBe(self.start);
    expect(readProcessStat(process.pid)).toMatchObject({ ppid: process.ppid, pgid: expect.any(Number) });
  });

  it('is told from another by its start', async () => {
    const child = spawn('sleep', ['60']);
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    await once(child, 'spawn');
    const start = processStart(child.pid ?? 0);
    expect(start).toMatch(/:\d+$/);
    expect(start).not.toBe(processStart(process.pid));
  });

  it('is none as a zombie, and none after it was reaped', async () => {
    const { parent, children } = await unreapedChildren(1);
    onTestFinished(() => killGroup(parent));
    const [zombie = 0] = children;
    const stat = readProcessStat(zombie);
    expect(stat).toMatchObject({ pid: zombie, ppid: parent.pid, state: 'Z' });
    expect(hasEnded(stat?.state ?? '')).toBe(true);
    expect(probeProcess(zombie)).toBeNull();
    expect(processStart(zombie)).toBeNull();
    killGroup(parent);
    await once(parent, 'exit');
    expect(probeProcess(parent.pid ?? 0)).toBeNull();
  });

  it('is none under a number that names none', () => {
    for (const pid of [0, -1, 1.5, Number.NaN, 2 ** 31]) expect(probeProcess(pid)).toBeNull();
  });

  it('is alive while it is stopped', async () => {
    const child = spawn('sleep', ['60']);
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    await once(child, 'spawn');
    execFileSync('kill', ['-STOP', String(child.pid)]);
    await until(() => probeProcess(child.pid ?? 0)?.suspended, { what: 'the process is stopped' });
    expect(probeProcess(child.pid ?? 0)).toMatchObject({ suspended: true });
  });
});
