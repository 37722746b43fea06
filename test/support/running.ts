/** Real processes in tests: started with a tag, awaited by what they say, and never left behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

export interface Running {
  readonly pid: number;
  /** Everything the process said so far, stdout and stderr together. */
  output(): string;
  /** Resolves with the first line, past or future, that matches and has not been returned before; rejects when the process ends or 60 s pass. */
  line(pattern: RegExp): Promise<string>;
  signal(name: NodeJS.Signals): void;
  /** What a terminal does at Ctrl-C: signals the whole foreground process group. Only for starts with `ownGroup`. */
  signalGroup(name: NodeJS.Signals): void;
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Live processes that carry this start's tag in their environment. */
  family(): number[];
}

const TAG = 'WOODS_TEST_TAG';
const running = new Set<{ child: ChildProcess; tag: string }>();

export function start(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string | undefined>; ownGroup?: true },
): Running {
  const tag = randomBytes(8).toString('hex');
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env, [TAG]: tag },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: options.ownGroup === true,
  });
  const entry = { child, tag };
  running.add(entry);
  const lines: string[] = [];
  const taken = new Set<number>();
  const waiting = new Set<() => void>();
  const partial = { stdout: '', stderr: '' };
  let text = '';
  let ended = false;

  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const parts = (partial[name] + chunk).split('\n');
      partial[name] = parts.pop() ?? '';
      lines.push(...parts);
      for (const look of [...waiting]) look();
    });
  }
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      ended = true;
      resolve({ code, signal });
      setImmediate(() => {
        for (const look of [...waiting]) look();
      });
    });
  });
  exit.catch(() => undefined);

  return {
    pid: child.pid ?? -1,
    output: () => text,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const deadline = setTimeout(
          () => finish(() => reject(new Error(`no line ${pattern} in 60 s:\n${text}`))),
          60_000,
        );
        const finish = (then: () => void) => {
          clearTimeout(deadline);
          waiting.delete(look);
          then();
        };
        const look = () => {
          const index = lines.findIndex((line, at) => !taken.has(at) && pattern.test(line));
          if (index >= 0) {
            taken.add(index);
            finish(() => resolve(lines[index] ?? ''));
          } else if (ended) {
            finish(() => reject(new Error(`ended before it said ${pattern}:\n${text}`)));
          }
        };
        waiting.add(look);
        look();
      }),
    signal: (name) => child.kill(name),
    signalGroup: (name) => {
      if (child.pid !== undefined && options.ownGroup) process.kill(-child.pid, name);
    },
    exit,
    family: () => processesTagged(tag),
  };
}

/** For afterEach: ends what a failing test left, by the tag of what it started. */
export function endAll(): void {
  for (const { child, tag } of running) {
    for (const pid of processesTagged(tag)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // it ended between the look and the signal
      }
    }
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
  running.clear();
}

function processesTagged(tag: string): number[] {
  const needle = `${TAG}=${tag}`;
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(needle)) return [];
      return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1')) ? [] : [pid];
    } catch {
      return [];
    }
  });
}
