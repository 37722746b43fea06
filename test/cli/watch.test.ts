/** `woods watch`: the worker's options as the command hands them on, and how it ends. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeProject, removeProjects, save } from '../support/project.ts';
import { endAll, start } from '../support/running.ts';
import { objectOn } from './support/json.ts';
import { environment, WOODS, woods } from './support/woods.ts';

let root = '';
beforeEach(() => {
  root = makeProject();
});
afterEach(() => {
  endAll();
  removeProjects();
});

const watch = (...args: string[]) =>
  start(process.execPath, [WOODS, 'watch', '--backend', 'polling', '--interval', '0.1', ...args], {
    cwd: join(root, 'src'),
    env: environment({ WOODS_WATCH_DEBOUNCE: '0.02' }),
  });

describe('woods watch', () => {
  it('--once publishes what differs and ends; with --json it says how', async () => {
    const { code, stdout } = await woods(['watch', '--once', '--json'], { cwd: root });
    expect(code).toBe(0);
    expect(objectOn(stdout)).toEqual({
      exit_code: 0,
      state: 'stopped',
      reason: null,
      generation: 1,
      root,
      index: join(root, 'tmp/woods'),
    });
  });

  it('keeps the index current, under the name of guard too, and stops at a signal', async () => {
    const running = watch();
    await running.line(/ready: generation 1/);
    save(root, 'src/care.ts', 'export function prune(): void {}\n');
    await running.line(/generation 2/);
    const found = await woods(['lookup', 'prune'], { cwd: root });
    expect(found).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^src\/care\.ts#prune /) });
    const second = await woods(['guard', '--once'], { cwd: root });
    expect(second).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/another worker has this index/),
    });
    running.signal('SIGTERM');
    expect(await running.exit).toEqual({ code: 0, signal: null });
    expect((await woods(['watch-status'], { cwd: root })).stdout).toMatch(/^not alive: it stopped /);
  });

  it('ends with 75 when a file changed that it reads only once', async () => {
    const running = watch();
    await running.line(/ready: generation 1/);
    save(root, 'package.json', '{ "name": "orchard", "version": "2.0.0" }\n');
    expect(await running.exit).toEqual({ code: 75, signal: null });
    expect(running.output()).toMatch(/ended with 75: start it again/);
  });

  it.each([
    ['--max-seconds', '0.5', /stopped after 0\.5 s/],
    ['--idle-timeout', '0.5', /nothing happened for 0\.5 s/],
  ])('%s ends it in time', async (option, value, words) => {
    const running = watch(option, value);
    expect(await running.exit).toEqual({ code: 0, signal: null });
    expect(running.output()).toMatch(words);
  });

  it('says what this version cannot do', async () => {
    const { code, stderr } = await woods(['watch', '--backend', 'fsevents'], { cwd: root });
    expect(code).toBe(2);
    expect(stderr).toMatch(/fsevents/);
  });
});
