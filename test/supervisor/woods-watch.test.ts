import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { flock } from '@woods/posix';
import { describe, expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { start } from './support/started.ts';
import { BINARY, child, makeWorkplace, type Running } from './support/woods-watch.ts';

/** Stops it by the signal and expects that nothing is left of it. */
async function stop(running: Running, signal: NodeJS.Signals = 'SIGTERM'): ReturnType<Running['ended']> {
  running.signal(signal);
  const end = await running.ended();
  expect(running.survivors()).toEqual([]);
  return end;
}

describe('a child that behaves', () => {
  it('is followed to ready, and its status can be read', async () => {
    const running = start(child('ready'));
    const record = await running.reaches('ready', 'reconciled');
    await running.says(/ready, generation 1/);
    expect(record.child_pid).toBeGreaterThan(1);
    expect(record.attempt).toMatch(/^[0-9a-f]{32}$/);
    expect(await stop(running)).toEqual({ code: 0, signal: null });
    expect(running.record()).toMatchObject({ state: 'stopped', reason: 'owner_stopped', child_pid: null });
  });

  it('reports by socket when it was started through npx or npm run, which pass no descriptor on', async () => {
    const place = makeWorkplace();
    const scripts = { child: shellWords(child('ready by socket')) };
    writeFileSync(join(place.root, 'package.json'), JSON.stringify({ name: 'x', scripts }));
    const viaRun = start(['npm', 'run', '--silent', 'child'], { place });
    await viaRun.reaches('ready');
    expect(await stop(viaRun)).toEqual({ code: 0, signal: null });

    const viaNpx = start(['npx', '--no-install', '-c', shellWords(child('ready by socket'))]);
    await viaNpx.reaches('ready');
    expect(await stop(viaNpx)).toEqual({ code: 0, signal: null });
  });

  it('runs in the root with exactly the environment that was built for it, and no descriptor of ours', async () => {
    const place = makeWorkplace();
    const file = join(place.root, 'env.json');
    const running = start(child('shows its environment', file), {
      place,
      args: ['--env', 'FOO-BAR=1', '--unset', 'GONE'],
      env: { GONE: 'x', 'spring.datasource.url': 'jdbc:x', npm_lifecycle_event: 'dev', LISTEN_FDS: '1' },
    });
    const text = await eventually('the environment', () => existsSync(file) && readFileSync(file, 'utf8'));
    const environment: Record<string, string> = JSON.parse(text);
    expect(environment).toMatchObject({
      'FOO-BAR': '1',
      'spring.datasource.url': 'jdbc:x',
      PWD: place.root,
      WOODS_WATCH_EVENT_FD: '3',
    });
    for (const name of ['GONE', 'npm_lifecycle_event', 'LISTEN_FDS']) expect(environment).not.toHaveProperty(name);
    expect(environment.WOODS_WATCH_EVENT_SOCKET).toMatch(/^\/tmp\/woods-events-.{1,40}$/);
    await stop(running);
  });

  it('is restarted when it asks for that, at once, with a new attempt token', async () => {
    const running = start(child('asks for one restart'));
    await running.says(/asked to be started again; starting it now/);
    await eventually('two starts', () => starts(running) === 2);
    await running.reaches('ready');
    await stop(running);
  });

  it('is restarted after a second when it failed', async () => {
    const running = start(child('fails once'));
    await running.says(/ended with exit code 9; starting it again in 1 s \(failure 1\)/);
    await running.reaches('ready');
    expect(starts(running)).toBe(2);
    await stop(running);
  });

  it('is restarted on USR2, and gets USR1 and WINCH', async () => {
    const place = makeWorkplace();
    const notes = join(place.root, 'notes');
    const running = start(child('notes USR1 and WINCH', notes), { place });
    const first = await running.reaches('ready');
    for (const signal of ['SIGUSR1', 'SIGWINCH'] as const) {
      running.signal(signal);
      await eventually(signal, () => existsSync(notes) && readFileSync(notes, 'utf8').includes(signal));
    }
    running.signal('SIGUSR2');
    const second = await eventually('another attempt', () => {
      const record = running.record();
      return record?.state === 'ready' && record.attempt !== first.attempt ? record : undefined;
    });
    expect(second.child_pid).not.toBe(first.child_pid);
    await stop(running);
  });
});

/** For those who hand a command to a shell. */
function shellWords(command: readonly string[]): string {
  return command.map((word) => `'${word}'`).join(' ');
}

function starts(running: Running): number {
  return readFileSync(join(running.place.index, 'starts'), 'utf8').trim().split('\n').length;
}

describe('a child that must not be started again', () => {
  it.each([
    ['floods', 'incompatible', /1000 records in 10 s/],
    ['lies about its root', 'incompatible', /expected the child to work on/],
    ['sends a bad byte', 'incompatible', /UTF-8/],
    ['sends a line without end', 'incompatible', /4,?096/],
    ['speaks for its owner', 'incompatible', /only its owner may send/],
    ['speaks for a stranger', 'incompatible', /descendant/],
    ['speaks too early', 'incompatible', /found startup/],
  ])('parks one that %s', async (behaviour, reason, detail) => {
    const running = start(child(behaviour));
    await running.says(new RegExp(`parked \\(${reason}\\): `));
    expect(parkedLines(running)).toEqual([expect.stringMatching(detail)]);
    expect(await stop(running)).toEqual({ code: 0, signal: null });
  });

  it('parks one that says nothing until the boot timeout, and tells what it must speak', async () => {
    const running = start(child('silent'), { args: ['--boot-timeout', '0.3'] });
    await running.says(/parked \(no_protocol\): .*within 0.3 s.*WOODS_WATCH_EVENT_FD/);
    await stop(running);
  });

  it.each([
    ['ends with a last word', 'already_running', 'already_running'],
    ['ends with a last word', 'unsupported_environment', 'unsupported_environment'],
    ['exits', '0', 'child_finished'],
    ['exits', '126', 'not_executable'],
    ['exits', '127', 'not_found'],
  ])('parks one that %s: %s', async (behaviour, argument, reason) => {
    const running = start(child(behaviour, argument));
    await running.says(new RegExp(`parked \\(${reason}\\): `));
    await stop(running);
  });

  it('is started again by USR2 while parked', async () => {
    const running = start(child('exits', '0'));
    await running.says(/parked/);
    running.signal('SIGUSR2');
    await eventually('a second parking', () => parkedLines(running).length === 2);
    await stop(running);
  });

  it('ends with 78 under --exit-on-park', async () => {
    const running = start(child('exits', '0'), { args: ['--exit-on-park'] });
    expect(await running.ended()).toEqual({ code: 78, signal: null });
    expect(running.survivors()).toEqual([]);
  });
});

function parkedLines(running: Running): string[] {
  return running
    .stderr()
    .split('\n')
    .filter((line) => line.includes('parked ('));
}

describe('a child that fails', () => {
  it('is retried when it spoke and does not come up in time', async () => {
    const running = start(child('stops at task_loaded'), { args: ['--boot-timeout', '0.3'] });
    await running.says(/did not announce its index within 0.3 s .*; starting it again in 1 s/);
    await stop(running);
  });

  it.each([
    ['exits', '9', 9],
    ['dies of a signal', 'SIGSEGV', 139],
  ])('ends us with its own code under --max-failures: %s %s', async (behaviour, argument, code) => {
    const running = start(child(behaviour, argument), { args: ['--max-failures', '1'] });
    expect(await running.ended()).toEqual({ code, signal: null });
    expect(running.survivors()).toEqual([]);
  });
});

describe('stopping', () => {
  it.each(['SIGINT', 'SIGHUP', 'SIGQUIT'] as const)('dies of %s itself, so that a shell sees it', async (signal) => {
    const running = start(child('ready'));
    await running.reaches('ready');
    expect(await stop(running, signal)).toEqual({ code: null, signal });
    expect(running.record()).toMatchObject({ state: 'stopped' });
  });

  it.each([
    ['while parked', ['exits', '0'], /parked/],
    ['during back-off', ['exits', '9'], /starting it again/],
  ] as const)('(report 1) takes no time %s', async (_, [behaviour, argument], line) => {
    const running = start(child(behaviour, argument));
    await running.says(line);
    const began = performance.now();
    await stop(running);
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it('kills at once on the second INT', async () => {
    const running = start(['sh', '-c', "trap '' TERM; echo up; while :; do sleep 1000; done"], {
      args: ['--shutdown-timeout', '60'],
    });
    await eventually('the command', () => running.stdout().includes('up'));
    running.signal('SIGINT');
    const line = await running.says(/stopping on INT/).then(() => performance.now());
    await eventually('the end of the time in which a second INT is an echo', () => performance.now() - line > 200);
    const began = performance.now();
    expect(await stop(running, 'SIGINT')).toEqual({ code: null, signal: 'SIGINT' });
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it('stops and goes on together with the child on TSTP and CONT', async () => {
    const running = start(child('ready'));
    const { child_pid } = await running.reaches('ready');
    const states = (): string => [running.pid, child_pid ?? 0].map(stateOf).join('');
    running.signal('SIGTSTP');
    await eventually('both to be stopped', () => states() === 'TT');
    running.signal('SIGCONT');
    await eventually('both to go on', () => !states().includes('T'));
    await stop(running);
  });

  it('leaves nothing of a group in which a grandchild ignores TERM, and nothing that left the group', async () => {
    const script = `(trap '' TERM; exec sleep 1000) & setsid sleep 1000 & (trap '' TERM; exec setsid sleep 1000) & echo up; wait`;
    const running = start(['sh', '-c', script], { args: ['--shutdown-timeout', '0.5'] });
    await eventually('the command', () => running.stdout().includes('up'));
    expect(await stop(running)).toEqual({ code: 0, signal: null });
  });

  it('leaves nothing of a tree whose leader ended by itself', async () => {
    const running = start(['sh', '-c', 'sleep 1000 & setsid sleep 1000 & exit 0'], { args: ['--exit-on-park'] });
    expect(await running.ended()).toEqual({ code: 78, signal: null });
    expect(running.survivors()).toEqual([]);
  });
});

function stateOf(pid: number): string {
  return /\) (.)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? '';
}

describe('a woods-watch under another one', () => {
  const tree = "(trap '' TERM; setsid sh -c 'sleep 1000 & sleep 1001 &' &) ; trap '' TERM; echo up; sleep 1002";

  it.each([
    ['stopped', 'SIGTERM'],
    ['killed', 'SIGKILL'],
  ] as const)('leaves nothing when the outer one is %s and no time is left for the inner one', async (_, signal) => {
    const inner = [process.execPath, BINARY, '--root', '/', '--shutdown-timeout', '30', '--', 'sh', '-c', tree];
    const running = start(inner, { args: ['--shutdown-timeout', '0.5'] });
    await eventually('the command', () => running.stdout().includes('up'));
    running.signal(signal);
    await running.ended();
    await eventually('the last process to end', () => running.survivors().length === 0);
  });
});

describe('the guardian', () => {
  it.each([
    ['plain', ['sleep', '1000']],
    ['with a grandchild that ignores TERM', ['sh', '-c', "(trap '' TERM; exec sleep 1000) & wait"]],
    ['with an escapee', ['sh', '-c', 'setsid sleep 1000 & wait']],
  ])('ends a tree %s when the supervisor is killed', async (_, command) => {
    const running = start(command, { args: ['--shutdown-timeout', '0.5'] });
    await running.says(/started the command/);
    running.signal('SIGKILL');
    await running.ended();
    await eventually('the last process to end', () => running.survivors().length === 0);
  });

  it('ends what was started in the first moments of an attempt', async () => {
    for (let delay = 0; delay < 8; delay += 1) {
      const running = start(['sh', '-c', 'sleep 1000 & setsid sleep 1000 & wait'], {
        args: ['--shutdown-timeout', '0.3'],
      });
      await eventually('a guardian', () => running.guardian() !== undefined);
      for (const end = performance.now() + delay; performance.now() < end; );
      running.signal('SIGKILL');
      await running.ended();
      await eventually('the last process to end', () => running.survivors().length === 0);
    }
  });

  it('is replaced when it dies, and the new one guards as well', async () => {
    const running = start(child('ready'));
    await running.reaches('ready');
    const first = await eventually('a guardian', running.guardian);
    process.kill(first, 'SIGKILL');
    await running.says(/guardian had ended and has been replaced/);
    await running.reaches('ready', 'guardian_replaced');
    expect(running.guardian()).not.toBe(first);
    running.signal('SIGKILL');
    await running.ended();
    await eventually('the last process to end', () => running.survivors().length === 0);
  });
});

describe('before anything is started', () => {
  it.each<[string, readonly string[], { args?: string[]; env?: NodeJS.ProcessEnv }, RegExp]>([
    ['an unknown option', ['true'], { args: ['--what'] }, /unknown option '--what'; see woods-watch --help/],
    [
      'a number that is none',
      ['true'],
      { args: ['--boot-timeout', 'soon'] },
      /--boot-timeout takes a positive number.*'soon'/,
    ],
    ['no time at all', ['true'], { args: ['--shutdown-timeout', '0'] }, /--shutdown-timeout takes a positive number/],
    ['a command that is not there', ['no-such-command'], {}, /no-such-command was not found/],
    ['a file that is not executable', ['./index'], {}, /index cannot be executed/],
    [
      'an idle timeout',
      ['true'],
      { env: { WOODS_WATCH_IDLE_TIMEOUT: '60' } },
      /WOODS_WATCH_IDLE_TIMEOUT must be unset/,
    ],
    [
      'an idle timeout for the command',
      ['true'],
      { args: ['--env', 'WOODS_WATCH_IDLE_TIMEOUT=60'] },
      /WOODS_WATCH_IDLE_TIMEOUT must be unset/,
    ],
    ['a root that is not there', ['true'], { args: ['--root', '/no/such'] }, /\/no\/such/],
    ['a descriptor that is not open', ['true'], { args: ['--notify-fd', '33'] }, /descriptor 33 is not open/],
  ])('refuses %s with exit code 2 and one line', async (_, command, options, line) => {
    const running = start(command, options);
    expect(await running.ended()).toEqual({ code: 2, signal: null });
    expect(running.stderr()).toMatch(line);
    expect(running.stderr().trim().split('\n')).toHaveLength(1);
  });

  it("refuses to say readiness on a descriptor that is Node's own", async () => {
    const fds = [4, 5, 8, 12, 16];
    const runs = fds.map((fd) => start(child('exits', '0'), { args: ['--exit-on-park', '--notify-fd', String(fd)] }));
    expect(await Promise.all(runs.map((run) => run.ended()))).toEqual(fds.map(() => ({ code: 2, signal: null })));
  });

  it('tells help and version', async () => {
    const help = start([], { args: ['--help'] });
    expect(await help.ended()).toEqual({ code: 0, signal: null });
    expect(help.stdout()).toMatch(/Examples:/);
    const version = start([], { args: ['--version'] });
    expect(await version.ended()).toEqual({ code: 0, signal: null });
    expect(version.stdout()).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('where nothing can be said', () => {
  const full = (): number => openSync('/dev/full', 'w');

  it('keeps the exit codes of help and of wrong usage', async () => {
    const help = start([], { args: ['--help'], stdio: ['ignore', full(), 'pipe'] });
    expect(await help.ended()).toEqual({ code: 0, signal: null });
    expect(help.stderr()).toBe('');
    const wrong = start([], { args: ['--what'], stdio: ['ignore', 'pipe', full()] });
    expect(await wrong.ended()).toEqual({ code: 2, signal: null });
  });

  it('needs no current directory where the root is named', async () => {
    const place = makeWorkplace();
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    const argv = [process.execPath, BINARY, '--root', place.root, '--exit-on-park', '--', 'true'];
    const ended = spawnSync('sh', ['-c', script, 'sh', ...argv], { cwd: place.root, encoding: 'utf8' });
    expect(ended).toMatchObject({ status: 78, stderr: expect.stringContaining('parked (child_finished)') });
  });
});

/** A pipe that is open for reading, though nobody reads. */
function openPipe(): number {
  const path = join(mkdtempSync(join(tmpdir(), 'woods-pipe-')), 'pipe');
  execFileSync('mkfifo', [path]);
  return openSync(path, constants.O_RDWR);
}

describe('what others see', () => {
  it('says readiness on the descriptor of --notify-fd, once', async () => {
    const running = start(child('ready'), { args: ['--notify-fd', '3'], stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    let told = '';
    running.process.stdio[3]?.on('data', (bytes: Buffer) => {
      told += bytes.toString();
    });
    await eventually('the notification', () => told === '\n');
    await stop(running);
    expect(told).toBe('\n');
  });

  it('writes JSON lines, or only what matters', async () => {
    const json = start(child('ready'), { args: ['--log-format', 'json'] });
    await json.says(/"event":"ready"/);
    await stop(json);
    const objects = json
      .stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(objects.map(({ event }) => event)).toEqual(['started', 'ready', 'stopping']);
    expect(objects[1]).toMatchObject({ level: 'info', message: 'ready, generation 1', generation: 1 });

    const quiet = start(child('ready'), { args: ['--quiet'] });
    await quiet.reaches('ready');
    await stop(quiet);
    expect(quiet.stderr()).toBe('');
  });

  it('warns once when its status cannot be written, and goes on', async () => {
    const place = makeWorkplace();
    writeFileSync(join(place.index, 'watch_supervisors'), 'a file');
    const running = start(child('ready'), { place });
    await running.says(/ready, generation 1/);
    await running.says(/cannot be written/);
    running.signal('SIGUSR2');
    await eventually('a second start', () => running.stderr().split('ready, generation 1').length === 3);
    await stop(running);
    expect(running.stderr().split('cannot be written')).toHaveLength(2);
  });

  it('goes on when nobody reads its stderr any more', async () => {
    const place = makeWorkplace();
    const running = start(child('ready'), { place });
    const { attempt } = await running.reaches('ready');
    running.process.stderr?.destroy();
    running.process.stdout?.destroy();
    running.signal('SIGUSR2');
    // the record of the old attempt is retired a moment later, and a quick child is ready before that
    await eventually('another attempt', () => running.record()?.attempt !== attempt);
    await running.reaches('ready');
    expect(await stop(running)).toEqual({ code: 0, signal: null });
  });

  it.each([
    ['a pipe', openPipe],
    ['a socket', () => 'pipe' as const],
    ['/dev/full', () => openSync('/dev/full', 'w')],
  ])('goes on when its stderr is %s that is full and never read', async (_, open) => {
    const stderr = open();
    const filling = ['sh', '-c', '(yes | head -c 1000000 >&2) & exec "$@"', 'sh', ...child('ready')];
    const running = start(filling, { stdio: ['ignore', 'pipe', stderr] });
    running.process.stderr?.pause();
    const first = await running.reaches('ready');
    running.signal('SIGUSR2');
    await eventually('another attempt', () => {
      const record = running.record();
      return record?.state === 'ready' && record.attempt !== first.attempt;
    });
    expect(await stop(running)).toEqual({ code: 0, signal: null });
    if (stderr !== 'pipe') closeSync(stderr);
  });

  it('does not hand what its parent left open to the child', async () => {
    const place = makeWorkplace();
    const file = join(place.root, 'stand.json');
    const running = start(child('says where it stands', file), {
      place,
      stdio: ['ignore', 'pipe', 'pipe', ...Array<'pipe'>(20).fill('pipe')],
    });
    await running.reaches('ready');
    const stand: { cwd: string; descriptors: string[] } = JSON.parse(readFileSync(file, 'utf8'));
    expect(stand.cwd).toBe(place.root);
    const clean = start(child('says where it stands', file), { place });
    await clean.reaches('ready');
    expect(JSON.parse(readFileSync(file, 'utf8')).descriptors).toEqual(stand.descriptors);
    await stop(running);
    await stop(clean);
  });

  it.runIf(process.platform === 'linux')('holds no lock of its parent, nor do guardian and child', async () => {
    const place = makeWorkplace();
    const lock = openSync(join(place.root, 'lock'), 'w');
    expect(flock(lock, 'exclusive')).toBe(true);
    const running = start(child('ready'), { place, stdio: ['ignore', 'pipe', 'pipe', ...Array<number>(5).fill(lock)] });
    const { child_pid: childPid } = await running.reaches('ready');
    for (const pid of [running.guardian() ?? 0, childPid ?? 0]) {
      const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
      expect(open).not.toContain(join(place.root, 'lock'));
    }
    await stop(running);
    closeSync(lock);
  });

  it.runIf(process.platform === 'linux')('takes records in a place that is closed to other users', async () => {
    const running = start(child('ready by socket'));
    const { child_pid: childPid } = await running.reaches('ready');
    const environment = readFileSync(`/proc/${childPid}/environ`, 'utf8');
    const socket = /(?:^|\0)WOODS_WATCH_EVENT_SOCKET=([^\0]*)/.exec(environment)?.[1] ?? '';
    expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(100);
    expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
    await stop(running);
    expect(existsSync(dirname(socket))).toBe(false);
  });
});
