import { kill } from 'node:process';

export type TreeSignal = 'SIGCONT' | 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGUSR1' | 'SIGWINCH';

/** Sends signals. A target that is gone, or never was ours to signal, is no error. */
export interface Signaller {
  process(pid: number, signal: TreeSignal): void;
  group(pgid: number, signal: TreeSignal): void;
}

export const systemSignaller: Signaller = {
  process: (pid, signal) => send(pid, signal),
  group: (pgid, signal) => send(-pgid, signal),
};

/** kill(0) would strike our own group, kill(-1) the whole machine, kill(1) its init: none can ever be meant. */
function send(target: number, signal: TreeSignal): void {
  if (!Number.isSafeInteger(target) || Math.abs(target) <= 1) return;
  try {
    kill(target, signal);
  } catch {
    // it ended between the look and the signal
  }
}
