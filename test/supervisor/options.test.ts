/** The options of woods-watch, each by what a real one does. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asksForJson } from '../../packages/supervisor/src/arguments/parse.ts';
import { codeToReport } from '../../packages/supervisor/src/states/decision.ts';
import { describeWithTools } from '../support/tools.ts';
import { eventually } from './support/eventually.ts';
import { start } from './support/started.ts';
import { BINARY, child, makeWorkplace, type Running } from './support/woods-watch.ts';

describe('--shutdown-timeout', () => {
  it('is the time that a command gets before KILL, and no longer than it needs', async () => {
    const stubborn = start(['sh', '-c', "trap '' TERM; echo up; while :; do sleep 1000; done"], {
      args: ['--shutdown-timeout', '0.5'],
    });
    await eventually('the command', () => stubborn.stdout().includes('up'));
    const began = performance.now();
    stubborn.signal('SIGTERM');
    expect(await stubborn.ended()).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeGreaterThan(490);
    expect(stubborn.survivors()).toEqual([]);

    const place = makeWorkplace();
    const note = join(place.root, 'note');
    const tidy = start(child('ends with 0 on TERM, after a moment', note), {
      place,
      args: ['--shutdown-timeout', '100'],
    });
    await tidy.says(/started the command/);
    tidy.signal('SIGTERM');
    expect(await tidy.ended()).toEqual({ code: 0, signal: null });
  });
});

describe('--boot-timeout', () => {
  it('stops a command that spoke and was late, and lets it end in its own way', async () => {
    const place = makeWorkplace();
    const note = join(place.root, 'note');
    const running = start(child('ends with 0 on TERM, after a moment', note), {
      place,
      args: ['--boot-timeout', '4', '--max-failures', '1'],
    });
    // a failure must not read as success, though the command ended with 0
    expect(await running.ended()).toEqual({ code: 1, signal: null });
    expect(readFileSync(note, 'utf8')).toBe('tidied up\n');
    expect(running.stderr()).toMatch(/did not announce its index within 4 s/);
  });
});

describe('--exit-on-park', () => {
  it.each([
    ['ends with a last word', 'already_running', 'already_running'],
    ['ends with a last word', 'unsupported_environment', 'unsupported_environment'],
    ['exits', '126', 'not_executable'],
    ['exits', '127', 'not_found'],
    ['sends a bad byte', '', 'incompatible'],
    ['silent', '', 'no_protocol'],
  ])('ends with 78 where one that %s %s parks', async (behaviour, argument, reason) => {
    const running = start(child(behaviour, argument), { args: ['--exit-on-park', '--boot-timeout', '2'] });
    expect(await running.ended()).toEqual({ code: 78, signal: null });
    expect(running.stderr()).toContain(`parked (${reason}): `);
    expect(running.survivors()).toEqual([]);
  });
});

describe('--max-failures', () => {
  it('counts failures in a row, and ends with the code of the last', async () => {
    const running = start(child('exits', '9'), { args: ['--max-failures', '2'] });
    expect(await running.ended()).toEqual({ code: 9, signal: null });
    expect(running.stderr()).toMatch(/exit code 9; starting it again in 1 s \(failure 1\)/);
    expect(running.stderr()).toMatch(/that was failure 2 of --max-failures, so woods-watch ends with exit code 9/);
    expect(running.survivors()).toEqual([]);
  });

  it('does not count restarts that the command asks for', async () => {
    const running = start(child('asks for one restart, then exits', '3'), { args: ['--max-failures', '1'] });
    expect(await running.ended()).toEqual({ code: 3, signal: null });
    expect(readFileSync(join(running.place.index, 'starts'), 'utf8').trim().split('\n')).toHaveLength(2);
  });

  it.each([
    ['SIGKILL', 137],
    ['SIGTERM', 143],
    ['SIGABRT', 134],
  ])('says %s as %i', async (signal, code) => {
    const running = start(child('dies of a signal', signal), { args: ['--max-failures', '1'] });
    expect(await running.ended()).toEqual({ code, signal: null });
  });

  it.each([
    [{ code: 9, signal: null }, 9],
    [{ code: 0, signal: null }, 1],
    [{ code: null, signal: 11 }, 139],
    [null, 1],
  ])('makes of %j the code %i', (exit, code) => {
    expect(codeToReport(exit)).toBe(code);
  });
});

describe('--notify-fd', () => {
  const pipes = ['ignore', 'pipe', 'pipe', 'pipe'] as const;

  it('writes one newline at the first ready, closes it then, and keeps it from the command', async () => {
    const running = start(child('is ready again and again'), { args: ['--notify-fd', '3'], stdio: pipes });
    let told = '';
    let closed = false;
    running.process.stdio[3]?.on('data', (bytes: Buffer) => {
      told += bytes.toString();
    });
    running.process.stdio[3]?.on('end', () => {
      closed = true;
    });
    await running.says(/ready, generation 4/);
    await eventually('the end of the pipe, though command and guardian live', () => closed);
    expect(told).toBe('\n');
    running.signal('SIGUSR2');
    await eventually('a second attempt', () => running.stderr().split('ready, generation 4').length === 3);
    running.signal('SIGTERM');
    expect(await running.ended()).toEqual({ code: 0, signal: null });
  });

  it('says nothing while the index is only degraded', async () => {
    const running = start(child('is degraded'), { args: ['--notify-fd', '3'], stdio: pipes });
    let told = '';
    running.process.stdio[3]?.on('data', (bytes: Buffer) => {
      told += bytes.toString();
    });
    await running.says(/degraded \(pending_work\)/);
    running.signal('SIGTERM');
    await running.ended();
    expect(told).toBe('');
  });
});

describe('--log-format json', () => {
  const objects = (running: Running): Record<string, unknown>[] =>
    running
      .stderr()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('makes one object of each line, whatever happens', async () => {
    const running = start(child('fails once'), { args: ['--log-format', 'json'] });
    await running.reaches('ready');
    process.kill((await eventually('a guardian', running.guardian)) as number, 'SIGKILL');
    await running.says(/guardian_replaced/);
    running.signal('SIGUSR2');
    await eventually('another start', () => running.stderr().split('"started"').length === 4);
    running.signal('SIGTERM');
    await running.ended();
    const said = objects(running);
    expect(said.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['started', 'retrying', 'ready', 'guardian_replaced', 'restarting', 'stopping']),
    );
    for (const { time, level, message } of said) {
      expect([new Date(String(time)).toISOString(), typeof message]).toEqual([time, 'string']);
      expect(['info', 'warn', 'error']).toContain(level);
    }
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['parking', ['--exit-on-park'], child('exits', '0')],
    ['too many failures', ['--max-failures', '1'], child('exits', '9')],
    ['a root that is not there', ['--root', '/no/such'], ['true']],
    ['an option that is none', ['--what'], ['true']],
    ['a command that is not there', [], ['no-such-command']],
  ])('also of %s', async (_, args, command) => {
    const running = start(command, { args: ['--log-format', 'json', ...args] });
    const { code } = await running.ended();
    const last = objects(running).at(-1);
    expect(last).toMatchObject({ level: 'error', message: expect.any(String) });
    if (code === 2) expect(objects(running)).toEqual([expect.objectContaining({ event: 'refused', code: 2 })]);
  });

  it('is asked for by our own words only', () => {
    expect(asksForJson(['--log-format', 'json', '--', 'x'])).toBe(true);
    expect(asksForJson(['--log-format=json'])).toBe(true);
    expect(asksForJson(['--', 'x', '--log-format', 'json'])).toBe(false);
    expect(asksForJson(['--log-format', 'text', 'json'])).toBe(false);
  });
});

describe('--quiet', () => {
  it('keeps warnings and errors, in both formats', async () => {
    for (const format of ['text', 'json']) {
      const running = start(child('exits', '9'), { args: ['--quiet', '--max-failures', '1', '--log-format', format] });
      expect((await running.ended()).code).toBe(9);
      expect(running.stderr().trimEnd().split('\n')).toEqual([expect.stringMatching(/failure 1 of --max-failures/)]);
    }
  });
});

describe('--version and --help', () => {
  it.each([['--version'], ['--help'], ['--quiet', '--version'], ['--help', '--exit-on-park']])(
    '%s start nothing',
    async (...args) => {
      const place = makeWorkplace();
      const touched = join(place.root, 'touched');
      const running = start(['touch', touched], { place, args, env: { WOODS_WATCH_IDLE_TIMEOUT: '9' } });
      const family = (): string[] =>
        readFileSync(`/proc/${running.pid}/task/${running.pid}/children`, 'utf8').split(' ');
      const born = new Set<string>();
      const look = setInterval(() => {
        try {
          for (const pid of family()) if (pid !== '') born.add(pid);
        } catch {
          // it has ended
        }
      }, 1);
      expect(await running.ended()).toEqual({ code: 0, signal: null });
      clearInterval(look);
      expect([...born]).toEqual([]);
      expect(existsSync(touched)).toBe(false);
      expect(running.stdout()).not.toBe('');
      expect(running.stderr()).toBe('');
    },
  );
});

describeWithTools('on a terminal', ['script'], () => {
  const place = makeWorkplace();
  const line = (...args: string[]): string => {
    const words = [process.execPath, BINARY, '--root', place.root, '--exit-on-park', ...args, '--', 'true'];
    return words.map((word) => `'${word}'`).join(' ');
  };
  // the terminal's other end is a file, so that no reader and no timing matters
  const shown = (env: NodeJS.ProcessEnv, ...args: string[]): string => {
    const file = join(place.root, 'typescript');
    writeFileSync(file, '');
    const { NO_COLOR: _, ...inherited } = process.env;
    const options = { env: { ...inherited, TERM: 'xterm', ...env }, stdio: 'ignore' } as const;
    execFileSync('script', ['-q', '-c', line(...args), file], options);
    return readFileSync(file, 'latin1')
      .split('\n')
      .filter((text) => text.includes('parked'))
      .join('\n');
  };

  it('colours its prefix, unless told not to, and never in JSON', () => {
    expect(shown({})).toContain('\x1b[31m[woods-watch]\x1b[0m parked');
    expect(shown({ NO_COLOR: '' })).toContain('\x1b[');
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) expect(shown(env)).toMatch(/^\[woods-watch\] parked/m);
    expect(shown({}, '--log-format', 'json')).toMatch(/^\{"time"/m);
  });
});
