import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';
import { newTag } from './survivors.ts';

export const BINARY = fileURLToPath(new URL('../../../packages/supervisor/bin/woods-watch.js', import.meta.url));
/** The same with a clock that runs faster: see there. */
export const HURRIED = fileURLToPath(new URL('./hurried-watch.mjs', import.meta.url));
export const CHILD = fileURLToPath(new URL('../children/child.mjs', import.meta.url));

/** A root with an index directory, as a child finds it. */
export interface Workplace {
  readonly root: string;
  readonly index: string;
}

export function makeWorkplace(): Workplace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'woods-supervisor-')));
  const index = join(root, 'index');
  mkdirSync(index);
  return { root, index };
}

export interface SupervisorRecord {
  readonly pid: number;
  readonly state: string;
  readonly reason: string;
  readonly attempt: string;
  readonly launcher: string;
  readonly child_pid: number | null;
  readonly retry_at?: string;
}

/** A running woods-watch, with the means to wait for what it does. */
export interface Running {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly place: Workplace;
  /** All that it wrote to stderr so far. */
  stderr(): string;
  stdout(): string;
  /** Waits for a line on stderr. */
  says(pattern: RegExp): Promise<string>;
  /** Its status record, when there is one. */
  record(): SupervisorRecord | undefined;
  /** Waits until the status file tells this state. */
  reaches(state: string, reason?: string): Promise<SupervisorRecord>;
  /** The guardian's process. */
  guardian(): number | undefined;
  /** Waits for its end. */
  ended(): Promise<{ code: number | null; signal: string | null }>;
  /** Living processes of the whole tree, supervisor and guardian included. */
  survivors(): number[];
  signal(signal: NodeJS.Signals): void;
  /** Removes its workplace, and kills what a failed test left. */
  clean(): void;
}

/** Starts woods-watch on a workplace of its own. Everything that it starts carries a tag. */
export function watch(
  command: readonly string[],
  options: {
    program?: string;
    place?: Workplace;
    args?: readonly string[];
    env?: NodeJS.ProcessEnv;
    detached?: boolean;
    stdio?: readonly ('ignore' | 'pipe' | number)[];
    /** Starts it through this command. */
    through?: readonly string[];
  } = {},
): Running {
  const place = options.place ?? makeWorkplace();
  const tag = newTag();
  const argv = ['--root', place.root, ...(options.args ?? []), ...(command.length > 0 ? ['--', ...command] : [])];
  const program = options.program ?? BINARY;
  const [file = '', ...args] = [...(options.through ?? []), process.execPath, program, ...argv];
  const child = spawn(file, args, {
    cwd: place.root,
    env: { ...process.env, ...tag.env, CHILD_INDEX: place.index, NO_COLOR: '1', ...options.env },
    detached: options.detached ?? false,
    stdio: [...(options.stdio ?? ['ignore', 'pipe', 'pipe'])],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('woods-watch did not start');
  const texts = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text;
  });
  const exit = once(child, 'exit');

  const running: Running = {
    process: child,
    pid,
    place,
    stderr: () => texts.err,
    stdout: () => texts.out,
    says: (pattern) =>
      eventually(`${pattern} on stderr, where there is:\n${texts.err}`, () => pattern.exec(texts.err)?.[0]),
    record: () => readRecord(place, pid),
    reaches: (state, reason) =>
      eventually(`state ${state}`, () => {
        const record = readRecord(place, pid);
        return record?.state === state && (reason === undefined || record.reason === reason) ? record : undefined;
      }),
    guardian: () => tag.survivors().find((one) => commandOf(one).includes('woods-guardian.sh')),
    async ended() {
      const [code, signal] = await exit;
      return { code, signal };
    },
    survivors: tag.survivors,
    signal: (signal) => void child.kill(signal),
    clean() {
      tag.end();
      rmSync(place.root, { recursive: true, force: true });
    },
  };
  return running;
}

function readRecord(place: Workplace, pid: number): SupervisorRecord | undefined {
  for (const name of list(join(place.index, 'watch_supervisors'))) {
    if (!name.endsWith('.json')) continue;
    const record: SupervisorRecord = JSON.parse(readFileSync(join(place.index, 'watch_supervisors', name), 'utf8'));
    if (record.pid === pid) return record;
  }
  return undefined;
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** The command line of a child with a behaviour of `children/child.mjs`. */
export function child(behaviour: string, argument = ''): readonly string[] {
  return [process.execPath, CHILD, behaviour, argument];
}
