import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openReporter, type Reporter } from '@woods/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FdCalls, openFdChannel } from '../../packages/protocol/src/reporter/fd-channel.ts';
import { envelope, GOOD } from './support/attempt.ts';
import { receiveFrom } from './support/channel.ts';
import { startReportingChild } from './support/child.ts';
import { temporaryDirectory } from './support/directory.ts';

function boot(pid: number): unknown[] {
  return [GOOD.task_loaded, GOOD.identity, GOOD.backend_ready].map((record) => ({ ...record, pid }));
}

function generations(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}

const roomy = { maxRecords: 100_000 };

describe('a child on descriptor 3', () => {
  it('reports over a socket pair, as Node makes them', async () => {
    const child = startReportingChild({ fd: 'pipe' });
    const received = receiveFrom(readable(child.process.stdio[3]));
    await child.ask('boot');
    expect(await child.finish()).toEqual({ code: 0, signal: null });
    expect(await received).toEqual({ values: boot(child.pid), refusal: null });
  });

  it('loses nothing and goes on working while a pipe is full', async () => {
    const { writer, reader } = fifo();
    const child = startReportingChild({ fd: writer });
    closeSync(writer);
    // 110 KB into a pipe of 64 KiB that nobody reads: the child answers before it could have written them all
    expect(await child.ask('startups 600')).toBe('ok');
    const closed = child.ask('close');
    const { values, refusal } = await receiveFrom(reader, roomy);
    expect(refusal).toBeNull();
    expect(values.map((value) => (value as { generation: number }).generation)).toEqual(generations(600));
    expect(await closed).toBe('ok');
    expect(await child.finish()).toEqual({ code: 0, signal: null });
  });

  it('works on when nobody reads any more', async () => {
    const child = startReportingChild({ fd: 'pipe' });
    await child.ask('boot');
    const channel = readable(child.process.stdio[3]);
    channel.destroy();
    await once(channel, 'close');
    expect(await child.ask('startups 100')).toBe('ok');
    expect(await child.ask('close')).toBe('ok');
    expect(await child.finish()).toEqual({ code: 0, signal: null });
  });

  it('says what is wrong when a wrapper did not pass the descriptor on', async () => {
    const child = startReportingChild({ wrapper: ['sh', '-c', 'exec "$0" "$@" 3>&-'] });
    // Node may open one of its own under this number; then nothing can tell
    expect(await child.greeting).toMatch(/^(UsageError: WOODS_WATCH_EVENT_FD says 3, but .+|ok)$/);
    const high = startReportingChild({ env: { WOODS_WATCH_EVENT_FD: '777' } });
    expect(await high.greeting).toMatch(/^UsageError: WOODS_WATCH_EVENT_FD says 777, but no descriptor 777 is open/);
    expect(await high.finish()).toEqual({ code: 2, signal: null });
  });
});

describe('a child on a socket', () => {
  it('reports from behind a wrapper that passes no descriptors on', async () => {
    const { path, connection } = await listen();
    const child = startReportingChild({
      env: { WOODS_WATCH_EVENT_SOCKET: path },
      wrapper: ['sh', '-c', '"$0" "$@"; exit $?'],
    });
    const received = connection.then((socket) => receiveFrom(socket));
    await child.ask('boot');
    await child.ask('close');
    expect(await child.finish()).toEqual({ code: 0, signal: null });
    const { values, refusal } = await received;
    expect(refusal).toBeNull();
    expect(values).toMatchObject([{ event: 'task_loaded' }, { event: 'identity' }, { event: 'backend_ready' }]);
  });

  it('is not kept alive by it', async () => {
    const { path, connection } = await listen();
    const child = startReportingChild({ env: { WOODS_WATCH_EVENT_SOCKET: path } });
    await connection;
    await child.ask('boot');
    expect(await child.finish()).toEqual({ code: 0, signal: null });
  });

  it('sends all that waits in close, in order, and not a record after it', async () => {
    const { path, connection } = await listen();
    const child = startReportingChild({ env: { WOODS_WATCH_EVENT_SOCKET: path } });
    const received = connection.then((socket) => receiveFrom(socket, roomy));
    await child.ask('startups 500');
    await child.ask('close');
    await child.ask('startups 5');
    const { values } = await received;
    expect(values.map((value) => (value as { generation: number }).generation)).toEqual(generations(500));
    expect(await child.finish()).toEqual({ code: 0, signal: null });
  });

  it('works on where nobody listens, or nobody does any more', async () => {
    const nowhere = startReportingChild({ env: { WOODS_WATCH_EVENT_SOCKET: join(temporaryDirectory(), 'none') } });
    expect(await nowhere.ask('boot')).toBe('ok');
    expect(await nowhere.ask('close')).toBe('ok');
    expect(await nowhere.finish()).toEqual({ code: 0, signal: null });

    const { path, connection } = await listen();
    const left = startReportingChild({ env: { WOODS_WATCH_EVENT_SOCKET: path } });
    await left.ask('boot');
    (await connection).destroy();
    expect(await left.ask('startups 100')).toBe('ok');
    expect(await left.ask('startups 100')).toBe('ok');
    expect(await left.finish()).toEqual({ code: 0, signal: null });
  });

  it('does not wait for ever in close for a supervisor that does not read', async () => {
    const capacity = await kernelCapacity();
    expect(capacity).toBeLessThan(900);
    const { reporter } = await unreadReporter();
    for (let count = 0; count < capacity + 10; count++) await reportLong(reporter);
    const started = performance.now();
    await reporter.close();
    const waited = performance.now() - started;
    expect(waited).toBeGreaterThan(40);
    expect(waited).toBeLessThan(5000);
  });
});

describe('a descriptor that takes what it likes', () => {
  const events = ['one\n', 'two\n', 'three\n'];

  it('gets every byte once and in order, through partial writes, EINTR and EAGAIN', async () => {
    const script: (number | string)[] = [1, 'EINTR', 2, 'EAGAIN', 1, 'EAGAIN', 'EAGAIN', 3, 100];
    const { channel, written } = scripted(script);
    for (const event of events) channel.write(event);
    await channel.close(5000);
    expect(written()).toBe(events.join(''));
    expect(script).toEqual([]);
  });

  it('is given up at any other error, and closed', async () => {
    for (const code of ['EPIPE', 'EBADF', 'EIO', 'ECONNRESET']) {
      const { channel, written, closed } = scripted([100, code]);
      for (const event of events) channel.write(event);
      expect(written()).toBe('one\n');
      expect(closed()).toBe(1);
      await channel.close(5000);
      expect(closed()).toBe(1);
    }
  });

  it('is given up when 64 KiB wait for it, and close does not wait for it for ever', async () => {
    const { channel, closed } = scripted([], 'EAGAIN');
    for (let count = 0; count < 16; count++) channel.write('x'.repeat(4096));
    expect(closed()).toBe(0);
    channel.write('x');
    expect(closed()).toBe(1);
    const stuck = scripted([], 'EAGAIN');
    stuck.channel.write('x');
    await stuck.channel.close(10);
    expect(stuck.closed()).toBe(1);
  });
});

describe('an unmanaged run', () => {
  it('reports nothing', async () => {
    const reporter = openReporter({ kind: 'unmanaged' });
    reporter.report({ event: 'backend_ready' });
    await reporter.close();
  });
});

/** A reporter, and the supervisor's end of its connection, which is never read. */
async function unreadReporter(): Promise<{ reporter: Reporter; end: Socket }> {
  const { path, connection } = await listen({ pauseOnConnect: true });
  const reporter = openReporter({ kind: 'managed', ...envelope, channel: { socket: path } }, { closeTimeoutMs: 50 });
  return { reporter, end: await connection };
}

/** Gives the loop a turn, in which what the kernel takes is gone. */
async function reportLong(reporter: Reporter): Promise<void> {
  reporter.report({ event: 'identity', root: `/${'r'.repeat(1500)}`, index: `/${'i'.repeat(1500)}` });
  await new Promise(setImmediate);
}

/** Long records that the kernel holds for a reader that is asleep: a reporter that was given up left just these. */
async function kernelCapacity(): Promise<number> {
  const { reporter, end } = await unreadReporter();
  for (let count = 0; count < 1000; count++) await reportLong(reporter);
  return (await receiveFrom(end, roomy)).values.length;
}

/** A channel whose writes take as many bytes as the script says, or fail as it says; then all, or `rest`. */
function scripted(script: (number | string)[], rest?: string) {
  let written = '';
  let closes = 0;
  const calls: FdCalls = {
    write: (_fd, bytes) => {
      const step = script.shift() ?? rest ?? bytes.length;
      if (typeof step === 'string') throw Object.assign(new Error(step), { code: step });
      const count = Math.min(step, bytes.length);
      written += bytes.toString('utf8', 0, count);
      return count;
    },
    close: (fd) => {
      closes++;
      closeSync(fd);
    },
  };
  const channel = openFdChannel(openSync('/dev/null', 'w'), calls);
  return { channel, written: () => written, closed: () => closes };
}

function readable(stream: unknown): Readable {
  if (stream instanceof Readable) return stream;
  throw new Error('started without a channel');
}

/** A pipe whose writing end is non-blocking. */
function fifo(): { writer: number; reader: Readable } {
  const path = join(temporaryDirectory(), 'fifo');
  execFileSync('mkfifo', [path]);
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  return { writer, reader: new Socket({ fd: readEnd, readable: true, writable: false }) };
}

async function listen(
  options: { pauseOnConnect?: boolean } = {},
): Promise<{ path: string; connection: Promise<Socket> }> {
  const path = join(temporaryDirectory(), 's');
  const server = createServer(options);
  onTestFinished(() => {
    server.close();
  });
  const connection = once(server, 'connection').then(([socket]) => {
    onTestFinished(() => socket.destroy());
    return socket as Socket;
  });
  server.listen(path);
  await once(server, 'listening');
  return { path, connection };
}
