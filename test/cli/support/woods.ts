/** Runs the real `woods`, with nothing of the developer's own configuration. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another user to run as; only root may. */
  readonly uid?: number;
}

export const WOODS = fileURLToPath(new URL('../../../packages/cli/bin/woods.js', import.meta.url));
const BIN = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url));
const noConfig = mkdtempSync(join(tmpdir(), 'woods-config-'));
// for tests that run as another user
chmodSync(noConfig, 0o755);

/** `woods <args>`, to its end. */
export function woods(args: readonly string[], surroundings: Surroundings): Promise<Ended> {
  return ended(process.execPath, [WOODS, ...args], surroundings);
}

/** A line for a shell, in which `woods` is the real one. */
export function shell(line: string, surroundings: Surroundings): Promise<Ended> {
  return ended('/bin/sh', ['-c', line], surroundings);
}

/** The environment of such runs. */
export function environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(WOODS_(?!TEST_)|GIT_)/.test(name));
  return {
    ...Object.fromEntries(inherited),
    PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}`,
    XDG_CONFIG_HOME: noConfig,
    ...more,
  };
}

function ended(command: string, args: readonly string[], { cwd, env, uid }: Surroundings): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}
