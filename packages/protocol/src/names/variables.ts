import { randomBytes } from 'node:crypto';

/** Full names of the environment variables that cross a process boundary. */
export const VARIABLE = {
  eventFd: 'WOODS_WATCH_EVENT_FD',
  eventSocket: 'WOODS_WATCH_EVENT_SOCKET',
  launcherToken: 'WOODS_WATCH_LAUNCHER_TOKEN',
  attemptToken: 'WOODS_WATCH_ATTEMPT_TOKEN',
  idleTimeout: 'WOODS_WATCH_IDLE_TIMEOUT',
  debounce: 'WOODS_WATCH_DEBOUNCE',
  fullThreshold: 'WOODS_WATCH_FULL_THRESHOLD',
  poll: 'WOODS_WATCH_POLL',
  catchUp: 'WOODS_WATCH_CATCH_UP',
  trustForeignHost: 'WOODS_WATCH_TRUST_FOREIGN_HOST',
  output: 'WOODS_OUTPUT',
  payloadRetention: 'WOODS_PAYLOAD_RETENTION',
  retrievalMode: 'WOODS_RETRIEVAL_MODE',
  hookCommand: 'WOODS_HOOK_COMMAND',
  lockWait: 'WOODS_LOCK_WAIT',
  ignoreWatch: 'WOODS_IGNORE_WATCH',
  profile: 'WOODS_PROFILE',
} as const;

/**
 * `<prefix><attempt token>=1` stands in the environment of what a nested supervisor starts, one for each supervisor
 * around it.
 */
export const OUTER_ATTEMPT_PREFIX = 'WOODS_WATCH_OUTER_ATTEMPT_';

/** An environment as Node gives it: a variable may be absent. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a child accepts as a token; what we make ourselves is narrower. */
export const TOKEN_PATTERN = /^[A-Za-z0-9_-]{1,128}$/;

/** A fresh identity for a supervisor or an attempt: 32 lower-case hex digits, 128 random bits. */
export function newToken(): string {
  return randomBytes(16).toString('hex');
}

/** The value of a variable, or null when it is unset or blank: shells and env files cannot always unset one. */
export function readVariable(env: Environment, name: string): string | null {
  const value = env[name];
  return value === undefined || value.trim() === '' ? null : value;
}
