import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../packages/supervisor/src/clock/clock.ts';
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
}

function keep(options: Partial<GuardianOptions> = {}): Kept {
  const tag = newTag();
  let replacements = 0;
  const guardian = keepGuardian(
    {
      shell: ['/bin/sh'],
      graceMs: 300,
      since: '',
      sockets: '',
      env: { ...process.env, ...tag.env },
      clock: systemClock,
      ...options,
    },
    () => {
      replacements += 1;
    },
  );
  return { guardian, pids: tag.survivors, replacements: () => replacements };
}

async function endOf(pid: number): Promise<void> {
  await eventually(`process ${pid} to end`, () => !existsSync(`/proc/${pid}/stat`) || isZombie(pid));
}

function isZombie(pid: number): boolean {
  return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
}

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

  it('is replaced again and again', async () => {
    const { guardian, pids, replacements } = keep();
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

  it('is replaced when it does not answer, and the arming that waited for it fails', async () => {
    // five seconds pass at once for this clock, so that nobody has to wait for them
    const hasty = { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(ms / 100, run) };
    const now = { ...hasty, now: () => systemClock.now() * 100 };
    const { guardian, pids, replacements } = keep({ clock: now });
    await guardian.arm('first');
    const [first = 0] = pids();
    process.kill(first, 'SIGSTOP');
    await expect(guardian.arm('second')).rejects.toThrow('it did not answer within 5 s');
    await endOf(first);
    await eventually('a replacement', () => replacements() === 1);
    await guardian.arm('third');
    guardian.release();
    await guardian.close();
    await eventually('the guardian to end', () => pids().length === 0);
  });

  it('cannot be armed where its shell cannot be started', async () => {
    const { guardian } = keep({ shell: ['/no/such/shell'] });
    await expect(guardian.arm('token')).rejects.toThrow('/no/such/shell could not be started');
    await guardian.close();
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
      WOODS_WATCH_ATTEMPT_TOKEN: 'outer',
    };
    expect(guardianEnvironment(inherited)).toEqual({ HOME: '/root', PATH: '/opt/bin:/usr/bin:/bin', LC_ALL: 'C' });
  });
});
