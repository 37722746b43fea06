import { closeSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireWriterLock } from '@woods/index';
import { flock } from '@woods/posix';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeProject, removeProjects } from '../support/project.ts';
import { inProcess } from './support/in-process.ts';
import { objectOn } from './support/json.ts';
import { indexOf, writeSupervisor, writeWorker } from './support/status.ts';

let root = '';
beforeEach(() => {
  root = makeProject();
});
afterEach(removeProjects);

const clean = (...args: string[]) => inProcess(['clean', ...args], { cwd: root });
const hasIndex = () => existsSync(join(indexOf(root), 'generation.json'));

describe('woods clean', () => {
  it('removes the index, and says so when there is none', async () => {
    expect(await clean()).toMatchObject({ code: 0, stdout: `there is no index in ${indexOf(root)}\n` });
    await inProcess(['extract'], { cwd: root });
    expect((await clean()).stdout).toMatch(/^removed generation\.json, payloads.* in /);
    expect(hasIndex()).toBe(false);
    expect(readdirSync(indexOf(root))).toEqual(['.gitignore']);
    expect((await inProcess(['lookup', 'Tree'], { cwd: root })).code).toBe(1);
    expect((await inProcess(['extract'], { cwd: root })).stdout).toMatch(/^published generation 1 /);
  });

  it('leaves what Woods did not make, and names it', async () => {
    await inProcess(['extract'], { cwd: root });
    writeFileSync(join(indexOf(root), 'notes.txt'), 'mine');
    const { stdout, stderr } = await clean('--json');
    expect(objectOn(stdout)).toMatchObject({ left: ['notes.txt'] });
    expect(stderr).toMatch(/left what Woods did not make: notes\.txt/);
    expect(existsSync(join(indexOf(root), 'notes.txt'))).toBe(true);
  });

  it('refuses a directory that Woods did not make', async () => {
    mkdirSync(join(root, 'src/records'));
    const { code, stderr } = await clean('--output', 'src');
    expect(code).toBe(2);
    expect(stderr).toMatch(/expected an index directory that Woods made/);
    expect(existsSync(join(root, 'src/records'))).toBe(true);
  });

  it.each([
    [
      'a worker',
      () => writeWorker(root, { state: 'degraded', reason: 'held' }),
      /a worker \(pid \d+\) lives on the index/,
    ],
    [
      'a parked supervisor',
      () => writeSupervisor(root, { state: 'parked', child_pid: null }),
      /a supervisor \(pid \d+\)/,
    ],
  ])('refuses while %s lives on it', async (_, live, words) => {
    await inProcess(['extract'], { cwd: root });
    live();
    const { code, stderr } = await clean();
    expect(code).toBe(1);
    expect(stderr).toMatch(words);
    expect(hasIndex()).toBe(true);
  });

  it('refuses while a writer works on it', async () => {
    await inProcess(['extract'], { cwd: root });
    const lock = await acquireWriterLock(indexOf(root), { name: 'a test', waitMs: 0 });
    const { code, stdout } = await clean('--json');
    lock.release();
    expect(code).toBe(1);
    expect(objectOn(stdout)).toMatchObject({ error: { code: 'locked' } });
    expect(hasIndex()).toBe(true);
  });

  it('refuses while a worker holds the lease, whatever the status file says', async () => {
    await inProcess(['extract'], { cwd: root });
    writeWorker(root, { state: 'stopped' });
    const lease = openSync(join(indexOf(root), 'watch_claim.json.lease'), 'w');
    expect(flock(lease, 'exclusive')).toBe(true);
    const { code, stderr } = await clean();
    closeSync(lease);
    expect(code).toBe(1);
    expect(stderr).toMatch(/a worker lives on the index/);
    expect(hasIndex()).toBe(true);
    expect((await clean()).code).toBe(0);
    expect(readdirSync(indexOf(root)).sort()).toEqual(['.gitignore', 'watch_claim.json.lease']);
  });
});
