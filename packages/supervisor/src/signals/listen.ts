import { kill, pid } from 'node:process';
import type { StopSignal } from '../states/state.ts';
import type { TreeSignal } from '../stop/signaller.ts';

/** What the signals that we get mean. */
export interface SignalHandlers {
  onStop(signal: StopSignal): void;
  onRestart(): void;
  /** For the child's process group. */
  onRelay(signal: TreeSignal): void;
}

type Handled = StopSignal | 'SIGUSR1' | 'SIGUSR2' | 'SIGTSTP' | 'SIGCONT' | 'SIGWINCH';

/** Listens until the returned function is called; after that every signal does again what it does by default. */
export function listenToSignals(handlers: SignalHandlers): () => void {
  let suspended = false;
  const listeners: Readonly<Record<Handled, () => void>> = {
    SIGINT: () => handlers.onStop('SIGINT'),
    SIGTERM: () => handlers.onStop('SIGTERM'),
    SIGHUP: () => handlers.onStop('SIGHUP'),
    SIGQUIT: () => handlers.onStop('SIGQUIT'),
    // without a listener Node would open its debugger on USR1
    SIGUSR1: () => handlers.onRelay('SIGUSR1'),
    SIGUSR2: () => handlers.onRestart(),
    SIGWINCH: () => handlers.onRelay('SIGWINCH'),
    // the child has a session of its own: the terminal's Ctrl-Z does not reach it, and the kernel drops a TSTP to a
    // group that no shell watches, so it is stopped by STOP
    SIGTSTP: () => {
      suspended = true;
      handlers.onRelay('SIGSTOP');
      kill(pid, 'SIGSTOP');
    },
    // only what we stopped is continued: the owner may have stopped the child for reasons of their own
    SIGCONT: () => {
      if (suspended) handlers.onRelay('SIGCONT');
      suspended = false;
    },
  };
  const entries = Object.entries(listeners);
  for (const [signal, listener] of entries) process.on(signal, listener);
  return () => {
    for (const [signal, listener] of entries) process.off(signal, listener);
  };
}
