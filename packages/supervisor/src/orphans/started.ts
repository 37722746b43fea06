import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** The processes that Node started, and whose status it waits for: nobody else may. */
export interface StartedByNode {
  has(pid: number): boolean;
  close(): void;
}

const CHANNEL = 'child_process';

/** One list for the process: of two supervisors in it, each would take the other's children for strangers. */
const living = new Set<ChildProcess>();
let followers = 0;

/**
 * Follows them from now on. Node itself announces every one, so none can be forgotten, whatever library starts it; those of
 * `spawnSync` are gone before anybody can ask.
 */
export function followStarts(): StartedByNode {
  followers += 1;
  if (followers === 1) subscribe(CHANNEL, note);
  return {
    has: (pid) => [...living].some((child) => child.pid === pid),
    close() {
      followers -= 1;
      if (followers === 0) unsubscribe(CHANNEL, note);
    },
  };
}

function note(message: unknown): void {
  const child = childIn(message);
  if (child === null) return;
  living.add(child);
  // one that could not be started closes without an exit
  for (const end of ['exit', 'close']) child.once(end, () => living.delete(child));
}

function childIn(message: unknown): ChildProcess | null {
  if (typeof message !== 'object' || message === null || !('process' in message)) return null;
  return message.process instanceof ChildProcess ? message.process : null;
}
