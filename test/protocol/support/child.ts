import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { ATTEMPT, LAUNCHER } from './attempt.ts';

const SCRIPT = fileURLToPath(new URL('../children/report.mjs', import.meta.url));

export interface ReportingChild {
  readonly pid: number;
  /** Asks for one thing, and resolves with what the child answered. */
  ask(line: string): Promise<string>;
  /** The first line, said before anything was asked. */
  readonly greeting: Promise<string>;
  /** Ends its stdin, after which nothing but the reporter could keep it alive. */
  finish(): Promise<{ code: number | null; signal: string | null }>;
  readonly process: ChildProcess;
}

/** Starts a managed child that reports as asked; `fd` is what it gets as descriptor 3. */
export function startReportingChild(options: {
  env?: Record<string, string>;
  fd?: 'pipe' | 'ignore' | number;
  wrapper?: readonly string[];
}): ReportingChild {
  const { env = {}, fd = 'ignore', wrapper = [] } = options;
  const [command = process.execPath, ...words] = [...wrapper, process.execPath, SCRIPT];
  const child = spawn(command, words, {
    stdio: ['pipe', 'pipe', 'inherit', fd],
    env: {
      ...process.env,
      WOODS_WATCH_EVENT_FD: '3',
      WOODS_WATCH_LAUNCHER_TOKEN: LAUNCHER,
      WOODS_WATCH_ATTEMPT_TOKEN: ATTEMPT,
      ...env,
    },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const { stdin, stdout } = streams(child);
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const nextLine = async () => String((await lines.next()).value);
  const greeting = nextLine();
  const ended = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    process: child,
    greeting,
    ask: async (line) => {
      await greeting;
      stdin.write(`${line}\n`);
      return nextLine();
    },
    finish: async () => {
      stdin.end();
      const [code, signal] = await ended;
      return { code, signal };
    },
  };
}

function streams(child: ChildProcess): { stdin: Writable; stdout: Readable } {
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('started without pipes');
  return { stdin, stdout };
}
