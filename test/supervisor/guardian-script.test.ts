import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { NODE_SCRIPT, SCRIPT } from '../../packages/supervisor/src/guardian/script.ts';
import { eventually } from './support/eventually.ts';
import { SHELLS } from './support/shells.ts';
import { newTag } from './support/survivors.ts';
import { TREES } from './support/trees.ts';

const GRACE_MS = 400;

type Tag = ReturnType<typeof newTag>;

interface Guardian {
  readonly process: ChildProcess;
  say(command: string): Promise<string>;
  /** Closes its pipe, as the death of a supervisor does, and waits for its end. */
  orphan(): Promise<void>;
}

type CommandLine = readonly [string, ...string[]];

/** The script under every shell of this machine, and what stands in for it where there is none. */
const GUARDIANS: readonly { readonly name: string; readonly command: CommandLine }[] = [
  ...SHELLS.map((shell) => ({ name: shell.join(' '), command: [...shell, SCRIPT] as const })),
  { name: 'Node', command: [process.execPath, NODE_SCRIPT] },
];

function startGuardian(command: CommandLine, options: { sockets?: string; path?: string } = {}): Guardian {
  const [file, ...args] = command;
  const guardian = spawn(file, [...args, String(GRACE_MS / 10), '0', options.sockets ?? ''], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { WOODS_TEST_RUN: process.env.WOODS_TEST_RUN, PATH: options.path ?? process.env.PATH },
  });
  const answers = lines(guardian);
  return {
    process: guardian,
    say(command) {
      guardian.stdin?.write(`${command}\n`);
      return answers();
    },
    async orphan() {
      const ended = once(guardian, 'exit');
      guardian.stdin?.end();
      await ended;
    },
  };
}

function lines(child: ChildProcess): () => Promise<string> {
  if (child.stdout === null) throw new Error('stdout must be a pipe');
  const reader: Interface = createInterface({ input: child.stdout });
  const iterator = reader[Symbol.asyncIterator]();
  return async () => String((await iterator.next()).value);
}

async function startTree(
  script: string,
  tag: Tag,
  token: string,
  carries: Readonly<Record<string, string>> = { WOODS_WATCH_ATTEMPT_TOKEN: token },
): Promise<{ pid: number; start: string; ended: Promise<unknown> }> {
  const child = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...tag.env, A: 'a\nvalue\nwith lines', ...carries, Z: 'z' },
  });
  const ended = once(child, 'exit');
  expect(await lines(child)()).toBe('up');
  if (child.pid === undefined) throw new Error('the tree did not start');
  return { pid: child.pid, start: startOf(child.pid), ended };
}

function startOf(pid: number): string {
  return readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/.*\) /s, '').split(' ')[19] ?? '';
}

/** A PATH in which there is nothing else. */
function onlySleep(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'woods-path-')), 'bin');
  mkdirSync(path);
  symlinkSync(existsSync('/usr/bin/sleep') ? '/usr/bin/sleep' : '/bin/sleep', join(path, 'sleep'));
  return path;
}

const newToken = (): string => randomBytes(16).toString('hex');

describe.each(GUARDIANS)('the guardian under $name', ({ command }) => {
  it('acknowledges every command, in order', async () => {
    const guardian = startGuardian(command);
    expect(await guardian.say('arm 0123')).toBe('arm 0123');
    expect(await guardian.say('register 99999999 5')).toBe('register 99999999');
    expect(await guardian.say('release')).toMatch(/^release/);
    await guardian.orphan();
    expect(guardian.process.exitCode).toBe(0);
  });

  it.each(Object.entries(TREES))('ends a registered tree that %s', async (_, script) => {
    const tag = newTag();
    const token = newToken();
    const guardian = startGuardian(command);
    await guardian.say(`arm ${token}`);
    const tree = await startTree(script, tag, token);
    await guardian.say(`register ${tree.pid} ${tree.start}`);
    await guardian.orphan();
    expect(tag.survivors()).toEqual([]);
    await tree.ended;
  });

  it('ends a tree that was armed and never registered', async () => {
    const tag = newTag();
    const token = newToken();
    const guardian = startGuardian(command);
    await guardian.say(`arm ${token}`);
    const tree = await startTree(TREES['has escaped with setsid'], tag, token);
    await guardian.orphan();
    expect(tag.survivors()).toEqual([]);
    await tree.ended;
  });

  it('leaves a released tree, and a process that took over the number of a registered one', async () => {
    const tag = newTag();
    const guardian = startGuardian(command);
    const released = await startTree(TREES.plain, tag, 'other');
    await guardian.say(`arm ${newToken()}`);
    await guardian.say(`register ${released.pid} ${Number(released.start) + 1}`);
    await guardian.orphan();
    expect(tag.survivors()).toHaveLength(2);
    process.kill(-released.pid, 'SIGKILL');
    await released.ended;
    await eventually('the tree to end', () => tag.survivors().length === 0);
  });

  it.each(['grep', 'no grep'])('ends what a nested supervisor left, with %s', async (tools) => {
    const tag = newTag();
    const token = newToken();
    const guardian = startGuardian(command, tools === 'grep' ? {} : { path: onlySleep() });
    await guardian.say(`arm ${token}`);
    const tree = await startTree(TREES['has forked twice and left'], tag, token, {
      WOODS_WATCH_ATTEMPT_TOKEN: newToken(),
      [`WOODS_WATCH_OUTER_ATTEMPT_${token}`]: '1',
    });
    await guardian.orphan();
    expect(tag.survivors()).toEqual([]);
    await tree.ended;
  });

  it('works with nothing but sleep in PATH', async () => {
    const tag = newTag();
    const token = newToken();
    const guardian = startGuardian(command, { path: onlySleep() });
    await guardian.say(`arm ${token}`);
    const tree = await startTree(TREES['has escaped with setsid and ignores TERM'], tag, token);
    await guardian.say(`register ${tree.pid} ${tree.start}`);
    await guardian.orphan();
    expect(tag.survivors()).toEqual([]);
    await tree.ended;
  });

  it('is not impressed by the signals of a terminal', async () => {
    const guardian = startGuardian(command);
    await guardian.say('arm 0123');
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGTSTP'] as const) {
      guardian.process.kill(signal);
    }
    expect(await guardian.say('release')).toMatch(/^release/);
    await guardian.orphan();
  });

  it('removes the sockets of its supervisor', async () => {
    const sockets = mkdtempSync('/tmp/woods-events-');
    const guardian = startGuardian(command, { sockets });
    await guardian.orphan();
    expect(existsSync(sockets)).toBe(false);
  });
});
