import { quote } from '../values/quote.ts';
import { UsageError } from './usage-error.ts';
import { type Environment, readVariable, TOKEN_PATTERN, VARIABLE } from './variables.ts';

/** Where a managed child reports: an inherited descriptor (3 or higher), or the path of a Unix socket. */
export type Channel = { readonly fd: number } | { readonly socket: string };

export type RunMode =
  | { readonly kind: 'unmanaged' }
  | { readonly kind: 'managed'; readonly launcher: string; readonly attempt: string; readonly channel: Channel };

/** Node cuts a longer socket path without a word, and would then connect to another file. */
export const MAX_SOCKET_PATH_BYTES = 100;

const REQUIRED = [VARIABLE.eventFd, VARIABLE.launcherToken, VARIABLE.attemptToken];

/**
 * Says from the environment whether a supervisor started this process, and how to report to it.
 * Throws UsageError when only some of the variables are set, when one has a bad value, or when an idle timeout is set:
 * a managed worker that stops itself when idle would only be started again.
 */
export function readRunMode(env: Environment): RunMode {
  const missing = REQUIRED.filter((name) => readVariable(env, name) === null);
  if (missing.length === REQUIRED.length) return { kind: 'unmanaged' };
  if (missing.length > 0) {
    const present = REQUIRED.filter((name) => !missing.includes(name));
    throw new UsageError(
      `${missing.join(' and ')} must be set together with ${present.join(' and ')}; ` +
        'woods-watch sets all three, and a run without a supervisor has none of them: set or unset them all',
    );
  }
  const fd = readDescriptor(env);
  const launcher = readToken(env, VARIABLE.launcherToken);
  const attempt = readToken(env, VARIABLE.attemptToken);
  const socket = readSocketPath(env);
  refuseIdleTimeout(env);
  return { kind: 'managed', launcher, attempt, channel: socket === null ? { fd } : { socket } };
}

/** Throws UsageError when the idle timeout is set: neither supervisor nor managed child may run with it. */
export function refuseIdleTimeout(env: Environment): void {
  const found = readVariable(env, VARIABLE.idleTimeout);
  if (found === null) return;
  throw new UsageError(
    `${VARIABLE.idleTimeout} must be unset under woods-watch, found ${quote(found)}; ` +
      'a worker that stops itself when idle would only be restarted: unset it',
  );
}

function readDescriptor(env: Environment): number {
  const text = readVariable(env, VARIABLE.eventFd) ?? '';
  const fd = /^[1-9][0-9]{0,8}$|^0$/.test(text) ? Number(text) : Number.NaN;
  if (fd >= 3) return fd;
  throw new UsageError(`${VARIABLE.eventFd} must be a decimal descriptor number, 3 or higher; found ${quote(text)}`);
}

function readToken(env: Environment, name: string): string {
  const token = readVariable(env, name) ?? '';
  if (TOKEN_PATTERN.test(token)) return token;
  throw new UsageError(`${name} must be 1 to 128 letters, digits, - or _; found ${quote(token)}`);
}

function readSocketPath(env: Environment): string | null {
  const path = readVariable(env, VARIABLE.eventSocket);
  if (path === null) return null;
  if (path.startsWith('/') && Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return path;
  throw new UsageError(
    `${VARIABLE.eventSocket} must be an absolute path of at most ${MAX_SOCKET_PATH_BYTES} bytes; found ${quote(path)}`,
  );
}
