/** `--help` of every command: a snapshot, and its examples run as they stand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeProject, removeProjects } from '../support/project.ts';
import { shell, woods } from './support/woods.ts';

const COMMANDS = [
  'extract',
  'incremental',
  'watch',
  'watch-status',
  'watch-recover',
  'lookup',
  'search',
  'deps',
  'stats',
  'validate',
  'export',
  'clean',
];

const aliases = new Map([['watch-status', 'status']]);

let root = '';
beforeAll(async () => {
  root = makeProject();
  const { code, stderr } = await woods(['extract'], { cwd: root });
  if (code !== 0) throw new Error(stderr);
});
afterAll(removeProjects);

describe('woods --help', () => {
  it('lists the commands that are tested here, and no other', async () => {
    const { code, stdout } = await woods(['--help'], { cwd: root });
    expect(code).toBe(0);
    const listed = stdout
      .slice(stdout.indexOf('Commands:'), stdout.indexOf('Exit codes:'))
      .matchAll(/^ {2}([a-z-]+)/gm);
    expect(Array.from(listed, ([, name]) => name)).toEqual([...COMMANDS, 'help']);
    expect(stdout).toMatchSnapshot();
  });

  it.each(['extract', 'scan'])('`%s` is one command under two names', async (name) => {
    const { stdout } = await woods(['help', name], { cwd: root });
    expect(stdout).toMatch(/^Usage: woods extract\|scan /);
  });

  it.each(['watch-status', 'status'])('`%s` is one command under two names', async (name) => {
    const { stdout } = await woods(['help', name], { cwd: root });
    expect(stdout).toMatch(/^Usage: woods watch-status\|status /);
  });

  it('the version is that of the package', async () => {
    const { stdout } = await woods(['--version'], { cwd: root });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe.each(COMMANDS)('woods %s --help', (command) => {
  it('has examples, and each of them works', async () => {
    const { code, stdout, stderr } = await woods([command, '--help'], { cwd: root });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatchSnapshot();
    const calls = Array.from(stdout.matchAll(/^ {4}\$ (.+)$/gm), ([, call]) => call ?? '');
    expect(calls.length).toBeGreaterThan(1);
    for (const call of calls) {
      expect(call).toMatch(new RegExp(`woods (${command}|${aliases.get(command) ?? command})\\b`));
      const ended = await shell(call, { cwd: root });
      expect({ call, code: ended.code, said: ended.stderr }).toMatchObject({ call, code: expectedCode(call) });
    }
  });
});

/** Nothing watches the project of this test. */
function expectedCode(call: string): number {
  return /^woods (watch-)?status/.test(call) && !call.includes('||') ? 1 : 0;
}
