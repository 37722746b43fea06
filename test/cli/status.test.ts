/** `woods status`, the same command as `woods watch-status`: what it says of supervisors, and of what was put in its way. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SupervisorStatus, writePointer } from '@woods/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeProject, removeProjects } from '../support/project.ts';
import { unreapedChildren } from '../support/zombie.ts';
import { inProcess } from './support/in-process.ts';
import { objectOn } from './support/json.ts';
import { indexOf, writeSupervisor, writeWorker } from './support/status.ts';
import { type Ended, woods } from './support/woods.ts';

const NOBODY = 2 ** 22 + 7;
let root = '';
beforeEach(() => {
  root = makeProject();
});
afterEach(removeProjects);

function status(...args: string[]): Promise<Ended> {
  return inProcess(['status', ...args], { cwd: root });
}

async function json(): Promise<Record<string, unknown>> {
  return objectOn((await status('--json')).stdout);
}

/** The lines on supervisors, without what differs by the clock. */
async function supervisorLines(): Promise<string[]> {
  const { stdout } = await status();
  return stdout.split('\n').filter((line) => line.startsWith('supervisor '));
}

function secondsFromNow(seconds: number): string {
  return new Date(Date.now() + seconds * 1_000).toISOString();
}

describe('woods status on one supervisor', () => {
  const me = process.pid;

  it.each<[string, () => Partial<SupervisorStatus>, string, RegExp]>([
    ['ready', () => ({}), 'alive', /: ready, reconciled, child \d+, attempt b{8}, as of \d+ ms ago$/],
    [
      'parked',
      () => ({ state: 'parked', reason: 'already_running', child_pid: null }),
      'alive',
      /: parked, already_running, no child, /,
    ],
    ['booting', () => ({ state: 'booting', reason: 'boot_pending' }), 'alive', /: booting, boot_pending, child/],
    [
      'retrying',
      () => ({ state: 'retrying', reason: 'child_failed', child_pid: null, retry_at: secondsFromNow(3_600) }),
      'alive',
      /: retrying, child_failed, no child, next start in (60|59) min, attempt/,
    ],
    [
      'retrying at once',
      () => ({ state: 'retrying', reason: 'child_failed', child_pid: null, retry_at: secondsFromNow(-1) }),
      'alive',
      /, next start now, /,
    ],
    ['25 s silent', () => ({ updated_at: secondsFromNow(-25) }), 'alive', /: ready, .* as of 2\d s ago$/],
    [
      '35 s silent',
      () => ({ updated_at: secondsFromNow(-35) }),
      'stale',
      /: not alive \(ready, reconciled, silent since\).* 3\d s ago$/,
    ],
    ['25 s ahead', () => ({ updated_at: secondsFromNow(25) }), 'alive', /: ready, .* as of 2\d s ahead of this clock$/],
    ['45 s ahead', () => ({ updated_at: secondsFromNow(45) }), 'stale', /: not alive .* 4\d s ahead of this clock$/],
    [
      'stopped',
      () => ({ state: 'stopped', reason: 'owner_stopped' }),
      'stopped',
      /: not alive \(stopped, owner_stopped\), /,
    ],
    ['gone', () => ({ pid: NOBODY }), 'no_process', /: not alive \(ready, reconciled, its process is gone\), /],
    ['another process', () => ({ pid_started: 'x:1' }), 'other_process', /, its pid is another process now\), /],
    [
      'of another host',
      () => ({ host: 'else\u001b[2Jwhere' }),
      'foreign_host',
      /, of another host, else\\u001b\[2Jwhere\), /,
    ],
    ['of the gem', () => ({ pid_started: null }), 'alive', /: ready, reconciled, /],
  ])('%s', async (_, over, verdict, line) => {
    writeSupervisor(root, { child_pid: me, ...over() });
    expect(await supervisorLines()).toEqual([expect.stringMatching(line)]);
    expect(await json()).toMatchObject({ supervisors: [{ verdict, alive: verdict === 'alive', active_child: false }] });
  });

  it('a zombie is gone', async () => {
    const { parent, children } = await unreapedChildren(1);
    writeSupervisor(root, { pid: children[0] ?? 0, pid_started: null });
    expect(await json()).toMatchObject({ supervisors: [{ verdict: 'no_process' }] });
    process.kill(-(parent.pid ?? 0), 'SIGKILL');
  });

  it('tells programs in how many seconds it starts the command again', async () => {
    writeSupervisor(root, { state: 'retrying', retry_at: secondsFromNow(100), child_pid: null });
    const { supervisors } = await json();
    expect(supervisors).toMatchObject([{ retry_in_seconds: expect.any(Number) }]);
    const [first] = supervisors as [{ retry_in_seconds: number }];
    expect(first.retry_in_seconds).toBeGreaterThan(80);
    expect(first.retry_in_seconds).toBeLessThanOrEqual(100);
  });

  it('ends with 1 while only the supervisor is alive, and with 0 once its worker is', async () => {
    writeSupervisor(root);
    expect((await status()).code).toBe(1);
    writeWorker(root);
    expect((await status()).code).toBe(0);
    expect(await json()).toMatchObject({ supervisors: [{ active_child: true }] });
  });
});

describe('woods status on what is published', () => {
  it('tells the generation, whoever is alive', async () => {
    expect(await json()).toMatchObject({ published: null });
    expect((await status()).stdout).toMatch(/^ {2}published +nothing yet$/m);
    mkdirSync(indexOf(root), { recursive: true });
    const updated_at = secondsFromNow(-600);
    writePointer(indexOf(root), {
      number: 7,
      token: '0'.repeat(16),
      updated_at,
      reason: 'full',
      payload: 'payloads/gen-7',
    });
    expect(await json()).toMatchObject({ alive: false, published: { generation: 7, updated_at, reason: 'full' } });
    expect((await status()).stdout).toMatch(/^ {2}published +generation 7, 10 min ago$/m);
    writeFileSync(join(indexOf(root), 'generation.json'), '{');
    expect((await status()).stdout).toMatch(/^ {2}published +generation\.json is corrupt: expected JSON/m);
  });
});

describe('woods status in a directory that somebody filled', () => {
  const directory = (): string => join(indexOf(root), 'watch_supervisors');
  const launcher = (number: number): string => number.toString(16).padStart(32, '0');

  it('lists 32 at most, live ones first and newest first, and says that there are more', async () => {
    for (let n = 0; n < 40; n += 1) {
      writeSupervisor(root, { launcher: launcher(n), state: 'stopped', updated_at: secondsFromNow(-n) });
    }
    writeSupervisor(root, { launcher: launcher(100), updated_at: secondsFromNow(-20) });
    writeSupervisor(root, { launcher: launcher(101), updated_at: secondsFromNow(-10) });
    const { stdout, stderr } = await status('--json');
    const answer = objectOn(stdout);
    expect(answer).toMatchObject({ supervisors_truncated: true, problems: [] });
    const listed = (answer.supervisors as { launcher: string }[]).map((one) => one.launcher);
    expect(listed).toEqual([launcher(101), launcher(100), ...Array.from({ length: 30 }, (_, n) => launcher(n))]);
    expect(stderr).toMatch(/there are more supervisors/);
  });

  it('looks at 256 of 10,000 names, and prints no wall of complaints', async () => {
    writeSupervisor(root);
    for (let n = 0; n < 10_000; n += 1) writeFileSync(join(directory(), `${n}.json`), 'x');
    const { code, stdout, stderr } = await status('--json');
    expect(code).toBe(1);
    const answer = objectOn(stdout);
    expect(answer.supervisors_truncated).toBe(true);
    const { length } = answer.problems as string[];
    expect(length + (answer.supervisors as unknown[]).length).toBe(256);
    const said = stderr.trimEnd().split('\n');
    expect(said).toHaveLength(10);
    expect(said[8]).toBe(`woods: not believed: ${length - 8} more, see --json`);
  });

  it('waits for no FIFO, follows no link, and reads nothing huge, in a process of its own', async () => {
    writeWorker(root);
    writeSupervisor(root);
    const good = join(directory(), `${'a'.repeat(32)}.json`);
    symlinkSync(good, join(directory(), `${launcher(1)}.json`));
    execFileSync('mkfifo', [join(directory(), `${launcher(2)}.json`), join(indexOf(root), 'generation.json')]);
    writeFileSync(join(directory(), `${launcher(3)}.json`), 'x'.repeat(20_000_000));
    symlinkSync('/dev/zero', join(directory(), `${launcher(4)}.json`));
    mkdirSync(join(directory(), `${launcher(5)}.json`));
    const whole = await woods(['status', '--json'], { cwd: root });
    expect(whole.code).toBe(0);
    expect(objectOn(whole.stdout)).toMatchObject({ alive: true, published: null, supervisors: [{ verdict: 'alive' }] });
    expect((objectOn(whole.stdout).problems as string[]).length).toBe(5);
    rmSync(join(indexOf(root), 'watch_status.json'));
    execFileSync('mkfifo', [join(indexOf(root), 'watch_status.json')]);
    const blocked = await woods(['status'], { cwd: root });
    expect(blocked).toMatchObject({ code: 1, stdout: expect.stringMatching(/^not alive: its status file is corrupt/) });
  });

  it.each([
    ['a link', (path: string) => symlinkSync('/', path)],
    ['a file', (path: string) => writeFileSync(path, '')],
    ['a FIFO', (path: string) => void execFileSync('mkfifo', [path])],
  ])('does not enter %s in its place', async (_, make) => {
    mkdirSync(indexOf(root), { recursive: true });
    make(directory());
    const { code, stderr } = await status();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^woods: not believed: expected watch_supervisors to be a directory, found /);
  });
});
