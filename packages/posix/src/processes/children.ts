import { readdirSync, readFileSync } from 'node:fs';
import { listProcesses } from './table.ts';

/**
 * Children of this process, zombies included, whoever started them (Linux). They are kept by thread: an adopted one is given
 * to any of ours.
 */
export function ownChildren(): number[] {
  try {
    return readdirSync('/proc/self/task').flatMap((task) => numbersIn(`/proc/self/task/${task}/children`));
  } catch {
    // a kernel without these lists
    return listProcesses().flatMap(({ pid, ppid }) => (ppid === process.pid ? [pid] : []));
  }
}

function numbersIn(path: string): number[] {
  return readFileSync(path, 'latin1').split(' ').map(Number).filter(Boolean);
}
