import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const TAG = 'WOODS_TEST_TREE';

/** Marks a tree of processes by a variable in its environment: names prove nothing. */
export function newTag(): Tag {
  const value = randomBytes(8).toString('hex');
  const survivors = (): number[] => carriers(`${TAG}=${value}`);
  return { env: { [TAG]: value }, survivors, end: () => survivors().forEach(kill) };
}

export interface Tag {
  readonly env: Record<string, string>;
  survivors(): number[];
  /** Kills what a failed test left. */
  end(): void;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended between the look and the signal
  }
}

/** Living processes (no zombies) with `entry` in their environment. */
function carriers(entry: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(entry))
    .filter((pid) => !/\) [ZX] /.test(read(`/proc/${pid}/stat`)));
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
