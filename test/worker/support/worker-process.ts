/**
 * A real worker, started by hand or as a supervisor starts it: over descriptor 3 or a Unix socket, every record judged by
 * the protocol's own validator.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type ChildEvent, createRecordValidator, newToken, openRecordReader } from '@woods/protocol';

const BINARY = fileURLToPath(new URL('../../../packages/worker/bin/woods-worker.js', import.meta.url));
const LIMIT_MS = 60_000;

export interface WorkerProcess {
  readonly pid: number;
  /** Everything said on stderr so far. */
  said(): string;
  /** Resolves with the first line, past or future, that matches and was not returned before. */
  line(pattern: RegExp): Promise<string>;
  /** Records so far, each of them valid. */
  records(): readonly ChildEvent[];
  /** Resolves with the first record, past or future, that fits and was not returned before. */
  record(fits: (event: ChildEvent) => boolean): Promise<ChildEvent>;
  signal(name: NodeJS.Signals): void;
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface StartOptions {
  readonly root: string;
  readonly run?: 'unmanaged' | 'descriptor' | 'socket';
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const living = new Set<ChildProcess>();
const cleanups: (() => void)[] = [];

export async function startWorker({
  root,
  run = 'unmanaged',
  args = [],
  env = {},
}: StartOptions): Promise<WorkerProcess> {
  const tokens = { launcher: newToken(), attempt: newToken() };
  const events = waitable<ChildEvent>('record');
  const lines = waitable<string>('line');
  const server = run === 'socket' ? await listen((stream) => receive(stream)) : null;
  const child = spawn(process.execPath, [BINARY, ...args], {
    cwd: root,
    env: { ...process.env, ...quick, ...(run === 'unmanaged' ? {} : managed(tokens, server?.path)), ...env },
    stdio: ['ignore', 'ignore', 'pipe', ...(run === 'descriptor' ? (['pipe'] as const) : [])],
  });
  living.add(child);
  const validator = createRecordValidator({
    ...tokens,
    root,
    ownerPid: process.pid,
    isSender: (pid, childPid) => pid === childPid,
  });
  validator.owner({ event: 'hello' });
  validator.owner({ event: 'spawned', child_pid: child.pid ?? 0 });

  function receive(stream: Readable): void {
    openRecordReader(stream, {
      onValue: (value) => {
        const verdict = validator.child(value);
        if (verdict.ok) events.add(verdict.event);
        else events.fail(new Error(`refused: ${verdict.detail}`));
      },
      onRefused: ({ detail }) => events.fail(new Error(`refused: ${detail}`)),
      onEnd: () => {},
    });
  }
  if (run === 'descriptor') receive(child.stdio[3] as Readable); // spawned with a pipe there
  let rest = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) lines.add(line);
  });
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    // `close` comes after the last byte of every pipe.
    child.once('close', (code, signal) => {
      living.delete(child);
      const ended = new Error(`the worker ended with ${code ?? signal}:\n${lines.all().join('\n')}`);
      events.fail(ended);
      lines.fail(ended);
      server?.server.close();
      resolve({ code, signal });
    });
  });
  return {
    pid: child.pid ?? -1,
    said: () => lines.all().join('\n'),
    line: (pattern) => lines.find((line) => pattern.test(line), String(pattern)),
    records: events.all,
    record: (fits) => events.find(fits, String(fits)),
    signal: (name) => child.kill(name),
    exit,
  };
}

/** For afterEach. */
export function endWorkers(): void {
  for (const child of living) child.kill('SIGKILL');
  living.clear();
  for (const clean of cleanups.splice(0)) clean();
}

const quick = { WOODS_WATCH_DEBOUNCE: '0.02' };

function managed(tokens: { launcher: string; attempt: string }, socket: string | undefined): Record<string, string> {
  return {
    WOODS_WATCH_EVENT_FD: '3',
    WOODS_WATCH_LAUNCHER_TOKEN: tokens.launcher,
    WOODS_WATCH_ATTEMPT_TOKEN: tokens.attempt,
    ...(socket !== undefined && { WOODS_WATCH_EVENT_SOCKET: socket }),
  };
}

function listen(onConnection: (stream: Readable) => void): Promise<{ server: Server; path: string }> {
  const place = mkdtempSync(join(tmpdir(), 'woods-sock-'));
  const path = join(place, 's');
  const server = createServer(onConnection);
  cleanups.push(() => {
    server.close();
    rmSync(place, { recursive: true, force: true });
  });
  return new Promise((resolve) => server.listen(path, () => resolve({ server, path })));
}

interface Waitable<T> {
  add(value: T): void;
  /** Whatever is waited for from now on does not come any more. */
  fail(error: Error): void;
  all(): readonly T[];
  find(fits: (value: T) => boolean, what: string): Promise<T>;
}

function waitable<T>(kind: string): Waitable<T> {
  const values: T[] = [];
  const taken = new Set<number>();
  const looks = new Set<() => void>();
  let failure: Error | null = null;
  const lookAll = (): void => {
    for (const look of [...looks]) look();
  };
  return {
    all: () => values,
    add: (value) => {
      values.push(value);
      lookAll();
    },
    fail: (error) => {
      failure ??= error;
      lookAll();
    },
    find: (fits, what) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => end(() => reject(new Error(`no ${kind} ${what} in ${LIMIT_MS} ms`))), LIMIT_MS);
        const end = (then: () => void): void => {
          clearTimeout(timer);
          looks.delete(look);
          then();
        };
        const look = (): void => {
          const at = values.findIndex((value, index) => !taken.has(index) && fits(value));
          const found = values[at];
          if (found !== undefined) {
            taken.add(at);
            end(() => resolve(found));
          } else if (failure !== null) end(() => reject(failure ?? new Error('failed')));
        };
        looks.add(look);
        look();
      }),
  };
}
