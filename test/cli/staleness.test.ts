/** An answer says when it may be stale: never in silence, never without cause. */
import { spawn } from 'node:child_process';
import { probeProcess, processStart } from '@woods/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stalenessLine } from '../../packages/cli/src/reading/freshness.ts';
import { judgeWatch } from '../../packages/cli/src/watching/look.ts';
import { makeProject, removeProjects, save } from '../support/project.ts';
import { inProcess } from './support/in-process.ts';
import { objectOn } from './support/json.ts';
import { minutesAgo, writeWorker } from './support/status.ts';
import { woods } from './support/woods.ts';

let root = '';
beforeEach(async () => {
  root = makeProject();
  const { code, stderr } = await inProcess(['extract'], { cwd: root });
  if (code !== 0) throw new Error(stderr);
});
afterEach(removeProjects);

describe('an answer from the index', () => {
  it('says nothing while a worker runs', async () => {
    writeWorker(root);
    const { code, stderr } = await woods(['lookup', 'ripeness'], { cwd: root });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { stdout } = await woods(['stats', '--json'], { cwd: root });
    expect(objectOn(stdout)).toMatchObject({ watch: { alive: true, state: 'running', reason: null }, held: [] });
  });

  it.each([
    [
      'no worker',
      null,
      /^woods: this may be stale: no worker is alive \(none has ever written its status here\), and generation 1 is .* old; `npx woods-watch` keeps it current\n$/,
    ],
    ['one that stopped', { state: 'stopped' as const, updated_at: minutesAgo(3) }, /it stopped 3 min ago/],
    ['one that is silent', { updated_at: minutesAgo(20) }, /its last sign of life is 20 min old/],
    [
      'one that is degraded',
      { state: 'degraded' as const, reason: 'contended', detail: { message: 'locked by x' } },
      /the worker is degraded \(contended: locked by x\)\n$/,
    ],
  ])('says so in one line, with exit code 0: %s', async (_, over, words) => {
    if (over !== null) writeWorker(root, over);
    const { code, stderr } = await woods(['lookup', 'ripeness'], { cwd: root });
    expect(code).toBe(0);
    expect(stderr).toMatch(words);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('says that the worker is suspended, and `incremental` does not wait for it', { timeout: 60_000 }, async () => {
    const sleeper = spawn('sleep', ['600'], { stdio: 'ignore' });
    try {
      const pid = sleeper.pid ?? 0;
      writeWorker(root, { pid, pid_started: processStart(pid) });
      sleeper.kill('SIGSTOP');
      await expect.poll(() => probeProcess(pid)?.suspended).toBe(true);
      const { code, stderr } = await woods(['lookup', 'ripeness'], { cwd: root });
      expect(code).toBe(0);
      expect(stderr).toMatch(
        /^woods: this may be stale: no worker is at work: its process \d+ is suspended; `kill -CONT /,
      );
      const { stdout } = await woods(['stats', '--json'], { cwd: root });
      expect(objectOn(stdout)).toMatchObject({ watch: { alive: true, state: 'running', reason: 'suspended' } });
      const status = await woods(['watch-status'], { cwd: root });
      expect(status).toMatchObject({ code: 0, stdout: expect.stringMatching(/^alive: running, but its process/) });
      save(root, 'src/tree.ts', 'export function grown(): void {}\n');
      expect((await woods(['incremental'], { cwd: root })).stdout).toMatch(/^published generation 2 /);
    } finally {
      sleeper.kill('SIGKILL');
    }
  });

  it('names a held file, and answers from its last good state', async () => {
    save(root, 'src/tree.ts', 'export function ripeness(days: number {\n');
    await inProcess(['incremental'], { cwd: root });
    writeWorker(root, { state: 'degraded', reason: 'held' });
    const { code, stdout, stderr } = await woods(['lookup', 'ripeness'], { cwd: root });
    expect(code).toBe(0);
    expect(stdout).toContain('return Math.min(1, days / 90);');
    expect(stderr).toMatch(/^woods: this may be stale: held at the last good state: src\/tree\.ts:1 /);
    const json = objectOn((await woods(['search', 'ripe', '--json'], { cwd: root })).stdout);
    expect(json).toMatchObject({
      held: [{ path: 'src/tree.ts', line: 1 }],
      watch: { state: 'degraded', reason: 'held' },
    });
  });
});

describe('stalenessLine', () => {
  const generation = { number: 7, publishedAt: '2026-01-01T00:00:00.000Z' };
  const now = Date.parse('2026-01-01T02:00:00.000Z');
  const probe = () => ({ start: '' });
  const status = {
    state: 'degraded' as const,
    reason: 'publish_failed',
    generation: 7,
    pid: 1,
    pid_started: null,
    host: 'here',
    updated_at: '2026-01-01T01:59:00.000Z',
  };
  const watch = judgeWatch({ kind: 'ok', value: status }, { host: 'here', now, probe, trustForeignHost: false });
  const held = ['a.ts', 'b.ts', 'c.ts'].map((path) => ({
    path,
    line: 3,
    reason: "')' expected",
    since: status.updated_at,
  }));

  it('has both causes on one line, and counts the held files', () => {
    expect(stalenessLine({ watch, held, generation, now })).toBe(
      "this may be stale: the worker is degraded (publish_failed); held at the last good state: a.ts:3 ')' expected, and 2 more",
    );
  });

  it('says how old the generation is when nobody keeps it', () => {
    const missing = judgeWatch({ kind: 'missing' }, { host: 'here', now, probe, trustForeignHost: false });
    expect(stalenessLine({ watch: missing, held: [], generation, now })).toContain('generation 7 is 2 h old');
  });
});
