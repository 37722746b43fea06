import { hasEnded } from '@woods/protocol';
import { readProcess } from './table.ts';

/** Deeper than any real tree; parents that are read one after another could in theory lead in a circle. */
const MAX_DEPTH = 1000;

/** Whether `pid` is a living process below `ancestor` (Linux). A process is not its own descendant. */
export function isDescendant(pid: number, ancestor: number): boolean {
  const self = readProcess(pid);
  if (self === null || hasEnded(self.state)) return false;
  let parent = self.ppid;
  for (let depth = 0; depth < MAX_DEPTH && parent > 0; depth++) {
    if (parent === ancestor) return true;
    parent = readProcess(parent)?.ppid ?? 0;
  }
  return false;
}
