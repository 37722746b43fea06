import { type Environment, EXIT, newToken, readRunMode, signalExitCode, UsageError, VARIABLE } from '@woods/protocol';
import { describe, expect, it } from 'vitest';

const managed: Environment = {
  WOODS_WATCH_EVENT_FD: '3',
  WOODS_WATCH_LAUNCHER_TOKEN: 'Aa0_-',
  WOODS_WATCH_ATTEMPT_TOKEN: 'b'.repeat(128),
};

describe('readRunMode', () => {
  it('is unmanaged where none of the three variables is set, or all are blank', () => {
    expect(readRunMode({})).toEqual({ kind: 'unmanaged' });
    expect(readRunMode({ WOODS_WATCH_EVENT_FD: '', WOODS_WATCH_ATTEMPT_TOKEN: ' ' })).toEqual({ kind: 'unmanaged' });
    expect(readRunMode({ WOODS_WATCH_IDLE_TIMEOUT: '60' })).toEqual({ kind: 'unmanaged' });
    expect(readRunMode({ WOODS_WATCH_EVENT_SOCKET: '/tmp/s' })).toEqual({ kind: 'unmanaged' });
  });

  it('takes the descriptor, and the socket wherever there is one', () => {
    const tokens = { launcher: 'Aa0_-', attempt: 'b'.repeat(128) };
    expect(readRunMode(managed)).toEqual({ kind: 'managed', ...tokens, channel: { fd: 3 } });
    const socket = `/tmp/${'s'.repeat(95)}`;
    const withSocket = readRunMode({ ...managed, WOODS_WATCH_EVENT_SOCKET: socket });
    expect(withSocket).toEqual({ kind: 'managed', ...tokens, channel: { socket } });
  });

  it.each([
    ['WOODS_WATCH_EVENT_FD', ['0', '2', '-3', '03', '3.0', '0x3', 'three', '3 ', '9999999999']],
    ['WOODS_WATCH_LAUNCHER_TOKEN', ['a b', 'é', 'a'.repeat(129), 'a\n', '../x']],
    ['WOODS_WATCH_ATTEMPT_TOKEN', ['a.b', 'b'.repeat(129)]],
    ['WOODS_WATCH_EVENT_SOCKET', ['relative', `/tmp/${'s'.repeat(96)}`, `/tmp/${'é'.repeat(48)}`]],
    ['WOODS_WATCH_IDLE_TIMEOUT', ['60', '0']],
  ])('refuses a bad %s and names it with what was found', (name, values) => {
    for (const value of values) {
      const act = () => readRunMode({ ...managed, [name]: value });
      expect(act).toThrow(UsageError);
      expect(act).toThrow(new RegExp(`^${name} must .+found "`, 's'));
    }
  });

  it('refuses some without the others, and names both', () => {
    for (const name of [VARIABLE.eventFd, VARIABLE.launcherToken, VARIABLE.attemptToken]) {
      const { [name]: _, ...rest } = managed as Record<string, string>;
      for (const env of [rest, { ...rest, [name]: '' }]) {
        expect(() => readRunMode(env)).toThrow(UsageError);
        expect(() => readRunMode(env)).toThrow(`${name} must be set together with`);
      }
    }
  });
});

describe('the words of the contract', () => {
  it('have the numbers that shells and the gem know', () => {
    expect(EXIT).toEqual({ ok: 0, usage: 2, restart: 75, parked: 78, notExecutable: 126, notFound: 127 });
    expect([2, 9, 15].map(signalExitCode)).toEqual([130, 137, 143]);
    expect(new UsageError('x').exitCode).toBe(2);
  });

  it('have fresh tokens of 32 lower-case hex digits', () => {
    const tokens = Array.from({ length: 100 }, newToken);
    expect(new Set(tokens).size).toBe(100);
    for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{32}$/);
  });
});
