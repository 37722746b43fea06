/**
 * Builds what spawned binaries run, marks every process that a test starts, and fails the run when one is left.
 * The mark is a variable in the environment: names prove nothing, and only what carries our own mark is ever ended.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MARK = 'WOODS_TEST_RUN';

export function setup(): () => void {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b'], { cwd: root, stdio: 'inherit' });
  const mark = randomBytes(8).toString('hex');
  process.env[MARK] = mark;
  return () => failOnSurvivors(mark);
}

function failOnSurvivors(mark: string): void {
  const survivors = processesMarked(mark);
  for (const { pid } of survivors) killQuietly(pid);
  if (survivors.length > 0) {
    const list = survivors.map(({ pid, command }) => `  ${pid} ${command}`).join('\n');
    process.stderr.write(`tests left ${survivors.length} process(es) behind (ended now):\n${list}\n`);
    process.exitCode = 1;
    throw new Error(`tests left ${survivors.length} process(es) behind`);
  }
}

function processesMarked(mark: string): { pid: number; command: string }[] {
  if (process.platform !== 'linux') return [];
  const found: { pid: number; command: string }[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const environment = readOrEmpty(`/proc/${pid}/environ`);
    if (!environment.includes(`${MARK}=${mark}`)) continue;
    if (/\) Z /.test(readOrEmpty(`/proc/${pid}/stat`))) continue;
    const command = readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
    if (isRunner(command)) continue;
    found.push({ pid, command });
  }
  return found;
}

/** vitest's own pool, which ends by itself after the teardown. */
function isRunner(command: string): boolean {
  return command.includes('/vitest/') || command.includes('/esbuild/') || command.startsWith('node (vitest');
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended between the look and the signal
  }
}
