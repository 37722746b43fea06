import { probeProcess } from '@woods/protocol';
import type { Cancel } from '../clock/clock.ts';
import { startDeadline } from '../clock/deadline.ts';
import { launch } from './launch.ts';
import type { GuardianOptions } from './options.ts';

/** One guardian process. Every command is acknowledged in order; `ended` settles when the process is gone. */
export interface GuardianProcess {
  readonly pid: number;
  /**
   * Resolves when acknowledged. Rejects with a one-line reason after 5 s, in which it was not stopped by a signal, or when
   * the guardian ends before.
   */
  say(command: string): Promise<void>;
  /** Ends it by closing its pipe: with nothing armed it just goes. */
  dismiss(): void;
  /** Ends one that does not answer. */
  kill(): void;
  readonly ended: Promise<void>;
}

const ACKNOWLEDGE_MS = 5_000;
const NEWLINE = 0x0a;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/** Stopped by a signal, it will answer when it is continued: that is no fault of it. */
function isSuspended(pid: number): boolean {
  return probeProcess(pid)?.suspended === true;
}

/** Starts a guardian. Throws when it cannot be started. */
export function startGuardian(options: GuardianOptions): GuardianProcess {
  const guardian = launch(options);
  const waiting: Waiting[] = [];
  let gone = false;
  let told = false;

  // the answer's text is for people who trace it; what counts is that there is one for every command, in order
  guardian.answers.on('data', (chunk: Buffer) => {
    told = false;
    for (const byte of chunk) if (byte === NEWLINE) waiting.shift()?.resolve();
  });

  const ended = guardian.ended.then(() => {
    gone = true;
    for (const { reject } of waiting.splice(0)) reject(new Error('it ended before it answered'));
  });

  function say(command: string): Promise<void> {
    if (gone) return Promise.reject(new Error('it has ended'));
    return new Promise((resolve, reject) => {
      let cancel: Cancel = () => {};
      const wait = (): void => {
        cancel = startDeadline(options.clock, ACKNOWLEDGE_MS, () => {
          if (!isSuspended(guardian.pid))
            return reject(new Error(`it did not answer within ${ACKNOWLEDGE_MS / 1_000} s`));
          if (!told) options.onSuspended();
          told = true;
          wait();
        });
      };
      wait();
      waiting.push({
        resolve: () => {
          cancel();
          resolve();
        },
        reject: (reason) => {
          cancel();
          reject(reason);
        },
      });
      guardian.commands.write(`${command}\n`);
    });
  }

  return {
    pid: guardian.pid,
    say,
    dismiss: () => guardian.commands.end(),
    kill: () => guardian.kill(),
    ended,
  };
}
