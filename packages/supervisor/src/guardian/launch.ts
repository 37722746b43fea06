import type { Readable, Writable } from 'node:stream';
import { execa } from 'execa';
import { guardianEnvironment } from './environment.ts';
import type { GuardianOptions } from './options.ts';
import { SCRIPT } from './script.ts';

/** A started shell with its two pipes. */
interface Launched {
  readonly pid: number;
  readonly commands: Writable;
  readonly answers: Readable;
  readonly ended: Promise<void>;
  kill(): void;
}

/** Starts the script in a session of its own, away from our terminal and from the root. Throws when that fails. */
export function launch(options: GuardianOptions): Launched {
  const [shell, ...shellArgs] = options.shell;
  const grace = String(Math.max(1, Math.round(options.graceMs / 10)));
  const subprocess = execa(shell, [...shellArgs, SCRIPT, grace, options.since || '0', options.sockets], {
    cwd: '/',
    env: guardianEnvironment(options.env),
    extendEnv: false,
    detached: true,
    cleanup: false,
    buffer: false,
    reject: false,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // a guardian that ends with a command unread breaks the pipe, which `ended` tells better
  subprocess.stdin.on('error', () => {});
  subprocess.stdout.on('error', () => {});
  const ended = subprocess.then(() => {});
  if (subprocess.pid === undefined) throw new Error(`${shell} could not be started`);
  return {
    pid: subprocess.pid,
    commands: subprocess.stdin,
    answers: subprocess.stdout,
    ended,
    kill: () => {
      subprocess.kill('SIGKILL');
    },
  };
}
