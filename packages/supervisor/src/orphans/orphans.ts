import { becomeSubreaper, ownChildren, PosixUnavailable, readProcess, reap } from '@woods/posix';
import { hasEnded } from '@woods/protocol';
import { followStarts } from './started.ts';

/** Processes that lost their parent and became our children (Linux). Nothing here throws. */
export interface Orphans {
  /** From now on descendants of ours that lose their parent come to us, and are reaped when they end. */
  adopt(): void;
  /** Those that live and can only have come from an attempt. */
  adopted(): readonly number[];
  close(): void;
}

/** Elsewhere the system's first process takes them, and reaps them. */
const NO_ORPHANS: Orphans = { adopt: () => {}, adopted: () => [], close: () => {} };

/** To be opened before anything is started. `onUnreaped` is called once where PID 1 cannot reap, with a one-line reason. */
export function openOrphans(onUnreaped: (reason: string) => void): Orphans {
  if (process.platform !== 'linux') return NO_ORPHANS;
  const started = followStarts();
  // a shell that became us by exec leaves us what it had in the background
  const bequeathed = ownChildren();
  const isInit = process.pid === 1;
  // PID 1 also gets what others started in its container, and the children of a bequest lose their parent like any other
  const onlyOurs = !isInit && bequeathed.length === 0;
  let looking = false;
  let adopting = false;

  const strangers = (): number[] => ownChildren().filter((pid) => !started.has(pid));

  function reapEnded(): void {
    looking = false;
    try {
      for (const pid of strangers()) if (hasEnded(readProcess(pid)?.state ?? '')) reap(pid);
    } catch (error) {
      stop();
      if (error instanceof PosixUnavailable) onUnreaped(error.message);
    }
  }

  /** Many that end together are reaped together. */
  function lookSoon(): void {
    if (looking) return;
    looking = true;
    setImmediate(reapEnded);
  }

  function stop(): void {
    adopting = false;
    process.off('SIGCHLD', lookSoon);
  }

  return {
    adopt() {
      try {
        if (!isInit) becomeSubreaper();
      } catch {
        // they go to the system's first process then, as they do for everybody else
        return;
      }
      adopting = true;
      process.on('SIGCHLD', lookSoon);
      lookSoon();
    },
    adopted: () => (adopting && onlyOurs ? strangers().filter(isLiving) : []),
    close() {
      stop();
      started.close();
    },
  };
}

function isLiving(pid: number): boolean {
  const found = readProcess(pid);
  return found !== null && !hasEnded(found.state);
}
