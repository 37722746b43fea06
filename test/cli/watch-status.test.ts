import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePointer } from '@woods/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { makeProject, removeProjects } from '../support/project.ts';
import { inProcess } from './support/in-process.ts';
import { objectOn, shapeOf } from './support/json.ts';
import { indexOf, minutesAgo, writeSupervisor, writeWorker } from './support/status.ts';
import type { Ended } from './support/woods.ts';

afterEach(removeProjects);

const NOBODY = 2 ** 22 + 7;
const POINTER = {
  number: 7,
  token: '0123456789abcdef',
  updated_at: '2026-01-01T00:00:00Z',
  reason: 'full',
  payload: 'payloads/gen-7',
};

describe('woods watch-status', () => {
  it('says not alive and 1 where no worker ever was', async () => {
    const root = makeProject();
    const { code, stdout } = await status(root);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^not alive: none has ever written its status here\n/);
    expect(objectOn((await status(root, ['--json'])).stdout)).toMatchObject({
      alive: false,
      state: null,
      reason: 'missing',
      root,
      supervisors: [],
    });
  });

  it('says alive and 0 for a running and for a degraded worker', async () => {
    const root = makeProject();
    writeWorker(root);
    expect(await status(root)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^alive: running\n/) });
    writeWorker(root, { state: 'degraded', reason: 'contended' });
    expect(await status(root)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^alive: degraded \(contended\)\n/),
    });
  });

  it.each([
    ['stopped', { state: 'stopped' as const }, 'stopped', /it stopped/],
    ['gone', { pid: NOBODY }, 'no_process', /gone without a word/],
    ['a reused pid', { pid_started: 'another-boot:1' }, 'other_process', /another process now/],
    ['silent for 16 min', { updated_at: minutesAgo(16) }, 'stale', /16 min old/],
    ['on another host', { host: 'elsewhere' }, 'foreign_host', /another host, elsewhere/],
  ])('does not believe a worker that is %s', async (_, over, reason, words) => {
    const root = makeProject();
    writeWorker(root, over);
    const { code, stdout } = await status(root);
    expect(code).toBe(1);
    expect(stdout).toMatch(words);
    expect(objectOn((await status(root, ['--json'])).stdout)).toMatchObject({ alive: false, reason });
  });

  it('believes another host on its age alone when it is told to', async () => {
    const root = makeProject();
    writeWorker(root, { host: 'elsewhere', pid: NOBODY });
    const env = { WOODS_WATCH_TRUST_FOREIGN_HOST: '1' };
    expect((await inProcess(['watch-status'], { cwd: root, env })).code).toBe(0);
    writeWorker(root, { host: 'elsewhere', pid: NOBODY, updated_at: minutesAgo(16) });
    expect((await inProcess(['watch-status'], { cwd: root, env })).code).toBe(1);
  });

  it.each([
    ['half a file', '{"state": "runn'],
    ['a list', '[]'],
    ['a state that there is not', '{"state":"asleep","pid":1,"host":"h","updated_at":"2026-01-01T00:00:00Z"}'],
  ])('says that its file is corrupt: %s', async (_, text) => {
    const root = makeProject();
    writeWorker(root);
    writeFileSync(join(indexOf(root), 'watch_status.json'), text);
    const { code, stdout } = await status(root);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^not alive: its status file is corrupt: /);
  });

  it('lists supervisors, and which of them has the worker', async () => {
    const root = makeProject();
    writeWorker(root);
    writeSupervisor(root);
    writeSupervisor(root, {
      launcher: 'c'.repeat(32),
      state: 'parked',
      reason: 'already_running',
      child_pid: null,
      updated_at: minutesAgo(3),
    });
    const { stdout } = await status(root);
    const [first, second] = stdout.split('\n').filter((line) => line.startsWith('supervisor'));
    expect(first).toMatch(
      new RegExp(
        `^supervisor ${process.pid}: ready, reconciled, child ${process.pid}, the worker above, attempt b{8}, as of`,
      ),
    );
    expect(second).toMatch(
      /: not alive \(parked, already_running, silent since\), no child, attempt b{8}, as of 3 min ago$/,
    );
  });

  it.each([
    ['a file', '', /^woods: not believed: expected a directory at .*tmp\/woods, found a file; remove it, or/],
    ['a link', 'else', /^woods: not believed: expected a directory at .*tmp\/woods, found a symbolic link; remove/],
  ])('says 1, and why, where the index directory is %s', async (_, target, words) => {
    const root = makeProject();
    mkdirSync(join(root, 'tmp'));
    if (target === '') writeFileSync(indexOf(root), '');
    else symlinkSync(target, indexOf(root));
    const { code, stderr } = await status(root);
    expect(code).toBe(1);
    expect(stderr).toMatch(words);
  });

  it('names a supervisor file that cannot be believed', async () => {
    const root = makeProject();
    writeSupervisor(root);
    writeFileSync(join(indexOf(root), 'watch_supervisors', `${'d'.repeat(32)}.json`), 'no JSON');
    expect((await status(root)).stderr).toMatch(/^woods: not believed: "d{32}\.json": expected JSON/);
  });

  it('has one shape of JSON', async () => {
    const root = makeProject();
    writeWorker(root, { detail: { backend: 'polling' } });
    writeSupervisor(root);
    writePointer(indexOf(root), POINTER);
    expect(shapeOf(objectOn((await status(root, ['--json'])).stdout))).toEqual({
      alive: 'boolean',
      state: 'string',
      reason: 'null',
      generation: 'number',
      pid: 'number',
      pid_started: 'string',
      host: 'string',
      updated_at: 'string',
      age_seconds: 'number',
      detail: { backend: 'string' },
      published: { generation: 'number', updated_at: 'string', reason: 'string' },
      root: 'string',
      index: 'string',
      supervisors: [
        {
          launcher: 'string',
          pid: 'number',
          pid_started: 'string',
          host: 'string',
          updated_at: 'string',
          state: 'string',
          reason: 'string',
          attempt: 'string',
          child_pid: 'number',
          retry_at: 'null',
          retry_in_seconds: 'null',
          age_seconds: 'number',
          alive: 'boolean',
          verdict: 'string',
          active_child: 'boolean',
        },
      ],
      supervisors_truncated: 'boolean',
      problems: [],
    });
  });
});

function status(root: string, args: readonly string[] = []): Promise<Ended> {
  return inProcess(['watch-status', ...args], { cwd: root });
}
