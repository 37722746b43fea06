import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { probeProcess } from '@woods/protocol';
import { afterAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../packages/supervisor/src/clock/clock.ts';
import { guardianEnvironment } from '../../packages/supervisor/src/guardian/environment.ts';
import { type Guardian, keepGuardian } from '../../packages/supervisor/src/guardian/keeper.ts';
import type { GuardianOptions } from '../../packages/supervisor/src/guardian/options.ts';
import { eventually } from './support/eventually.ts';
import { newTag } from './support/survivors.ts';

interface Kept {
  readonly guardian: Guardian;
  /** The guardians that live. */
  pids(): number[];
  replacements(): number;
  /** How often it was said to be stopped by a signal. */
  suspended(): number;
}

function keep(options: Partial<GuardianOptions> = {}): Kept {
  const tag = newTag();
  let replacements = 0;
  let suspended = 0;
  const guardian = keepGuardian(
    {
      shell: ['/bin/sh'],
      graceMs: 300,
      since: '',
      sockets: '',
      env: { ...process.env, ...tag.env },
      clock: systemClock,
      onSuspended: () => {
        suspended += 1;
      },
      ...options,
    },
    () => {
      replacements += 1;
    },
  );
  return { guardian, pids: tag.survivors, replacements: () => replacements, suspended: () => suspended };
}

/** Under this shell the first guardian of a directory says nothing at all; those after it are what they should be. */
const silentMark = join(mkdtempSync(join(tmpdir(), 'woods-silent-')), 'mark');
const SILENT_AT_FIRST = `if [ ! -e ${silentMark} ]; then : > ${silentMark}; exec sleep 600; fi; exec /bin/sh "$@"`;
afterAll(() => rmSync(dirname(silentMark), { recursive: true }));

describe('the guardian that is kept', () => {
  it('is one process for all attempts, and goes when it is dismissed', async () => {
    const { guardian, pids } = keep();
    await guardian.arm('first');
    const [first] = pids();
    guardian.release();
    await guardian.arm('second');
    expect(pids()).toEqual([first]);
    guardian.release();
    await guardian.close();
    expect(pids()).toEqual([]);
  });

  it('is replaced when it is killed, and the new one knows what to end', async () => {
    const token = 'a'.repeat(32);
    const { guardian, pids, replacements } = keep();
    await guardian.arm(token);
    const tree = spawn('sleep', ['1000'], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, WOODS_WATCH_ATTEMPT_TOKEN: token },
    });
    const ended = once(tree, 'exit');
    guardian.register({ pid: tree.pid ?? 0, start: '' });
    for (const pid of pids()) process.kill(pid, 'SIGKILL');
    await eventually('a replacement', () => replacements() === 1);
    // closing the pipe with something armed is what the death of a supervisor looks like
    await guardian.close();
    await ended;
    await eventually('the guardian to end', () => pids().length === 0);
  });

  it.each([
    ['a shell', '/bin/sh'],
    ['Node', '/no/such/shell'],
  ])('is replaced again and again: %s', async (_, shell) => {
    const { guardian, pids, replacements } = keep({ shell: [shell] });
    await guardian.arm('token');
    for (let round = 1; round <= 4; round += 1) {
      for (const pid of pids()) process.kill(pid, 'SIGKILL');
      await eventually(`replacement ${round}`, () => replacements() === round);
      expect(pids()).toHaveLength(1);
    }
    guardian.release();
    await guardian.close();
    expect(pids()).toEqual([]);
  });

  /** Five seconds pass at once for this clock, so that nobody has to wait for them. */
  const hasty: Clock = {
    ...systemClock,
    after: (ms, run) => systemClock.after(ms / 100, run),
    now: () => systemClock.now() * 100,
  };

  it('is replaced when it does not answer, and the arming that waited for it fails', async () => {
    const { guardian, pids, replacements } = keep({ clock: hasty, shell: ['/bin/sh', '-c', SILENT_AT_FIRST, 'sh'] });
    await expect(guardian.arm('first')).rejects.toThrow('it did not answer within 5 s');
    await eventually('a replacement', () => replacements() === 1);
    await guardian.arm('second');
    guardian.release();
    await guardian.close();
    await eventually('the guardian to end', () => pids().length === 0);
  });

  it('is waited for while it is stopped by a signal, which is said once', async () => {
    const { guardian, pids, replacements, suspended } = keep({ clock: hasty });
    await guardian.arm('first');
    const [first = 0] = pids();
    process.kill(first, 'SIGSTOP');
    await eventually('the guardian to be stopped', () => probeProcess(first)?.suspended === true);
    const armed = guardian.arm('second');
    await eventually('it to be said', () => suspended() === 1);
    await new Promise<void>((resolve) => hasty.after(15_000, resolve));
    process.kill(first, 'SIGCONT');
    await armed;
    expect([pids(), replacements(), suspended()]).toEqual([[first], 0, 1]);
    guardian.release();
    await guardian.close();
  });

  it('is a Node where there is no shell, and ends the tree as well', async () => {
    const token = 'b'.repeat(32);
    const { guardian, pids } = keep({ shell: ['/no/such/shell'] });
    await guardian.arm(token);
    const tree = spawn('sleep', ['1000'], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, WOODS_WATCH_ATTEMPT_TOKEN: token },
    });
    const ended = once(tree, 'exit');
    guardian.register({ pid: tree.pid ?? 0, start: '' });
    await guardian.close();
    await ended;
    await eventually('the guardian to end', () => pids().length === 0);
  });
});

describe("the guardian's environment", () => {
  it('has nothing of an outer supervisor, nothing that makes a shell run code, and finds sleep', () => {
    const inherited = {
      HOME: '/root',
      PATH: '/opt/bin',
      LC_ALL: 'de_DE.UTF-8',
      ENV: '/evil',
      BASH_ENV: '/evil',
      'BASH_FUNC_kill%%': '() { :; }',
      NODE_OPTIONS: '--require /evil.js',
      WOODS_WATCH_ATTEMPT_TOKEN: 'outer',
    };
    expect(guardianEnvironment(inherited)).toEqual({ HOME: '/root', PATH: '/opt/bin:/usr/bin:/bin', LC_ALL: 'C' });
  });
});
