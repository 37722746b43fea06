import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export function temporaryDirectory(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'woods-posix-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A process that ends with the test at the latest. */
export async function start(command: string, words: readonly string[], options: SpawnOptions = {}): Promise<Started> {
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'], ...options });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const ended = once(child, 'exit');
  await once(child, 'spawn');
  const lines = child.stdout === null ? null : createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    pid: child.pid ?? 0,
    line: async () => String((await lines?.next())?.value),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    ended,
  };
}

export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The next line of its stdout. */
  line(): Promise<string>;
  kill(): Promise<void>;
  readonly ended: Promise<unknown[]>;
}

export function script(name: string): string {
  return fileURLToPath(new URL(`../children/${name}`, import.meta.url));
}
