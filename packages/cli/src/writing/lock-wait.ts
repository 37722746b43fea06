import { type Environment, quote, readVariable, UsageError, VARIABLE } from '@woods/protocol';

const DEFAULT_SECONDS = 600;
const MAX_SECONDS = 86_400;

/** How long to wait for the writer lock, in milliseconds: WOODS_LOCK_WAIT (seconds, 0 is one try) or ten minutes. */
export function lockWaitMs(env: Environment): number {
  const text = readVariable(env, VARIABLE.lockWait);
  if (text === null) return DEFAULT_SECONDS * 1_000;
  const seconds = /^\s*\d{1,9}(\.\d{1,9})?\s*$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= MAX_SECONDS) return Math.round(seconds * 1_000);
  throw new UsageError(
    `${VARIABLE.lockWait}: expected seconds from 0 to ${MAX_SECONDS}, found ${quote(text)}; unset it for ${DEFAULT_SECONDS}`,
  );
}
