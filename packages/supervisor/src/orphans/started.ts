import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** The processes that Node started, and whose status it waits for: nobody else may. */
export interface StartedByNode {
  has(pid: number): boolean;
  close(): void;
}

const CHANNEL = 'child_process';

/**
 * Follows them from now on. Node itself announces every one, so none can be forgotten, whatever library starts it; those of
 * `spawnSync` are gone before anybody can ask.
 */
export function followStarts(): StartedByNode {
  const living = new Set<ChildProcess>();
  const note = (message: unknown): void => {
    const child = childIn(message);
    if (child === null) return;
    living.add(child);
    // one that could not be started closes without an exit
    for (const end of ['exit', 'close']) child.once(end, () => living.delete(child));
  };
  subscribe(CHANNEL, note);
  return {
    has: (pid) => [...living].some((child) => child.pid === pid),
    close: () => void unsubscribe(CHANNEL, note),
  };
}

function childIn(message: unknown): ChildProcess | null {
  if (typeof message !== 'object' || message === null || !('process' in message)) return null;
  return message.process instanceof ChildProcess ? message.process : null;
}
