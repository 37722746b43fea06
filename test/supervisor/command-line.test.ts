import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Options } from '../../packages/supervisor/src/arguments/options.ts';
import { parseArguments } from '../../packages/supervisor/src/arguments/parse.ts';
import { bundledWorker } from '../../packages/supervisor/src/command/bundled-worker.ts';
import { lookupCommand } from '../../packages/supervisor/src/command/lookup.ts';
import { preparePlan } from '../../packages/supervisor/src/run/prepare.ts';

function options(...argv: string[]): Options {
  const request = parseArguments(argv, '1.2.3');
  if (request.kind !== 'run') throw new Error('expected a run');
  return request.options;
}

describe('the command line', () => {
  it('has the defaults of the manual', () => {
    expect(options()).toEqual({
      root: null,
      command: null,
      bootTimeoutMs: 300_000,
      shutdownTimeoutMs: 3_500,
      overrides: [],
      exitOnPark: false,
      maxFailures: null,
      notifyFd: null,
      logFormat: 'text',
      volume: 'normal',
    });
  });

  it('reads every option', () => {
    const argv = '--root /r --boot-timeout .5 --shutdown-timeout 2 --env A=1=2 --unset B --env C= --exit-on-park';
    const more = '--max-failures 3 --notify-fd 4 --log-format json --quiet -- npm run --silent x';
    expect(options(...argv.split(' '), ...more.split(' '))).toEqual({
      root: '/r',
      command: ['npm', 'run', '--silent', 'x'],
      bootTimeoutMs: 500,
      shutdownTimeoutMs: 2_000,
      overrides: [{ set: 'A', value: '1=2' }, { unset: 'B' }, { set: 'C', value: '' }],
      exitOnPark: true,
      maxFailures: 3,
      notifyFd: 4,
      logFormat: 'json',
      volume: 'quiet',
    });
  });

  it('takes what follows the command as its own, with or without --', () => {
    expect(options('node', '--quiet', '--', 'x').command).toEqual(['node', '--quiet', '--', 'x']);
    expect(options('--', 'node', '--quiet', '--', 'x').command).toEqual(['node', '--quiet', '--', 'x']);
  });

  it.each([
    [['--boot-timeout', '-1'], /--boot-timeout takes a positive number of seconds/],
    [['--boot-timeout', 'Infinity'], /found 'Infinity'/],
    [['--boot-timeout', '1e3'], /found '1e3'/],
    [['--shutdown-timeout', '0.0'], /--shutdown-timeout takes a positive/],
    [['--max-failures', '0'], /--max-failures takes a whole number, 1 or more; found '0'/],
    [['--max-failures', '1.5'], /--max-failures takes a whole number/],
    [['--notify-fd', '2'], /--notify-fd takes a whole number, 3 or more/],
    [['--log-format', 'xml'], /--log-format takes text or json; found 'xml'/],
    [['--env', '=x'], /--env takes NAME=VALUE; found '=x'/],
    [['--env', 'x'], /to remove a variable, use --unset/],
    [['--unset', 'a=b'], /--unset takes the name of a variable/],
    [['--boot-timeout', '1'.repeat(30)], /a positive number of seconds up to 1000000/],
    [['--root', ''], /--root takes a directory; found an empty text/],
    [['--env', 'WOODS_WATCH_ATTEMPT_TOKEN=x'], /--env cannot change WOODS_WATCH_ATTEMPT_TOKEN/],
    [['--env', 'WOODS_WATCH_EVENT_SOCKET=x'], /--env cannot change WOODS_WATCH_EVENT_SOCKET/],
    [['--unset', 'WOODS_WATCH_LAUNCHER_TOKEN'], /--unset cannot change WOODS_WATCH_LAUNCHER_TOKEN/],
    [
      ['--shutdwn-timeout', '1'],
      /^unknown option '--shutdwn-timeout' \(Did you mean --shutdown-timeout\?\); see .* --help$/,
    ],
    [['--root'], /argument missing.*see woods-watch --help/],
    [['--what'], /unknown option '--what'; see woods-watch --help/],
  ])('refuses %j', (argv, message) => {
    expect(() => parseArguments(argv, '1.2.3')).toThrow(message);
  });
});

it('tells defaults in the units in which options are given', () => {
  const help = parseArguments(['--help'], '1.2.3');
  expect(help).toMatchObject({ kind: 'tell', text: expect.stringMatching(/default:\s+300\)/) });
  expect(help).toMatchObject({ kind: 'tell', text: expect.stringContaining('default: 3.5)') });
});

describe('the command', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'woods-command-')));
  afterAll(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'other', 'tool'), { recursive: true });
  mkdirSync(join(root, 'bin'));
  for (const path of ['bin/tool', 'here']) {
    writeFileSync(join(root, path), '#!/bin/sh\n');
    chmodSync(join(root, path), 0o755);
  }
  writeFileSync(join(root, 'plain'), 'text', { mode: 0o644 });

  it.each([
    ['tool', 'bin', 'bin/tool'],
    ['tool', '/nowhere:other:bin', 'bin/tool'],
    ['./bin/tool', undefined, 'bin/tool'],
    ['bin/tool', '', 'bin/tool'],
    ['here', '/nowhere:', 'here'],
  ])('%s with PATH %s is found against the root', (name, path, file) => {
    expect(lookupCommand({ argv: [name, 'x'], root, path })).toEqual({ file: join(root, file), name, args: ['x'] });
  });

  it('is found in the usual places when PATH is not set', () => {
    expect(lookupCommand({ argv: ['sh'], root, path: undefined }).file).toMatch(/\/bin\/sh$/);
  });

  it.each([
    ['nothing', 'bin', /nothing was not found: it is in no directory of PATH/],
    ['./nothing', 'bin', /\.\/nothing was not found: there is no .*\/nothing/],
    ['tool', 'other', /tool cannot be executed: .*other\/tool is not an executable file/],
    ['./bin', 'bin', /cannot be executed/],
    ['./plain', '', /plain is not an executable file/],
    ['', 'bin', /the command after -- is empty/],
  ])('%s with PATH %s is refused', (name, path, message) => {
    expect(() => lookupCommand({ argv: [name], root, path })).toThrow(message);
  });

  it('is looked up in the PATH that the child will have', () => {
    const plan = preparePlan(options('--root', root, '--env', 'PATH=bin', 'tool'), { cwd: '/', env: { PATH: '/bin' } });
    expect(plan.command.file).toBe(join(root, 'bin', 'tool'));
  });

  it('is the bundled worker when none is given', () => {
    const { file, args } = bundledWorker();
    expect(file).toBe(process.execPath);
    expect(args).toEqual([expect.stringMatching(/worker\/bin\/woods-worker\.js$/)]);
  });
});
