import { accessSync, constants } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { execa } from 'execa';
import { guardianEnvironment } from './environment.ts';
import type { GuardianOptions } from './options.ts';
import { NODE_SCRIPT, SCRIPT } from './script.ts';

/** A started guardian with its two pipes. */
interface Launched {
  readonly pid: number;
  readonly commands: Writable;
  readonly answers: Readable;
  readonly ended: Promise<void>;
  kill(): void;
}

/** Starts the guardian in a session of its own, away from our terminal and from the root. Throws when that fails. */
export function launch(options: GuardianOptions): Launched {
  const [program, ...programArgs] = programOf(options.shell);
  const grace = String(Math.max(1, Math.round(options.graceMs / 10)));
  const subprocess = execa(program, [...programArgs, grace, options.since || '0', options.sockets], {
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
  if (subprocess.pid === undefined) throw new Error(`${program} could not be started`);
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

/** A shell has 0.15 MB of its own, a second Node 12: only where there is no shell. */
function programOf(shell: GuardianOptions['shell']): readonly [string, ...string[]] {
  try {
    accessSync(shell[0], constants.X_OK);
    return [...shell, SCRIPT];
  } catch {
    return [process.execPath, NODE_SCRIPT];
  }
}
