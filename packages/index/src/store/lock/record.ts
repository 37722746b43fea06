/** What `extraction.lock` says of its holder, and when it may be taken away. Pure. */
import { type ProcessProbe, parseObject } from '@woods/protocol';

export interface LockRecord {
  readonly pid: number;
  /** ISO 8601 UTC. */
  readonly lockedAt: string;
  /** What the holder does, such as `woods extract`. */
  readonly name: string;
  readonly token: string;
  /** Null in locks of writers that do not say. */
  readonly host: string | null;
  readonly pidStarted: string | null;
}

export const LOCK_MAX_BYTES = 4096;
const STALE_MS = 600_000;
/** A writer that creates its lock in place needs a moment to lock and fill it. */
const NAMELESS_STALE_MS = 5000;

export function encodeLock(record: LockRecord): string {
  return `${JSON.stringify({
    pid: record.pid,
    locked_at: record.lockedAt,
    name: record.name,
    token: record.token,
    host: record.host,
    pid_started: record.pidStarted,
  })}\n`;
}

/** Null for anything that is not a lock's content. */
export function decodeLock(text: string): LockRecord | null {
  const value = parseObject(text);
  if (value === null) return null;
  const field = (name: string): unknown => Object.getOwnPropertyDescriptor(value, name)?.value;
  const textOf = (name: string): string | null => {
    const found = field(name);
    return typeof found === 'string' && found !== '' ? found : null;
  };
  const pid = field('pid');
  const token = textOf('token');
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid < 1 || token === null) return null;
  return {
    pid,
    lockedAt: textOf('locked_at') ?? 'unknown',
    name: textOf('name') ?? 'an unnamed writer',
    token,
    host: textOf('host'),
    pidStarted: textOf('pid_started'),
  };
}

/** `unknown` where flock cannot be had. */
export type HeldFlock = 'held' | 'free' | 'unknown';

/**
 * Whether a lock outlived its holder: its flock is free and it was not touched for ten minutes, or it names nobody
 * (then seconds are enough: every writer names itself), or the process is provably gone. A held flock proves life,
 * whatever the record says.
 */
export function isStale(
  found: { record: LockRecord | null; ageMs: number; flock: HeldFlock },
  here: { host: string; probe: ProcessProbe },
): boolean {
  if (found.flock === 'held') return false;
  const patience = found.record === null ? NAMELESS_STALE_MS : STALE_MS;
  if (found.flock === 'free' && found.ageMs > patience) return true;
  return found.record !== null && isProvablyDead(found.record, here);
}

function isProvablyDead(record: LockRecord, here: { host: string; probe: ProcessProbe }): boolean {
  if (record.host !== here.host) return false;
  const process = here.probe(record.pid);
  if (process === null) return true;
  return record.pidStarted !== null && process.start !== '' && process.start !== record.pidStarted;
}
