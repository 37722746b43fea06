import { closeSync, constants, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { flock, flockSupport } from '@woods/posix';
import { boundedRead, errnoOf } from '@woods/protocol';
import { Failure } from '../errors/failure.ts';

/** In the order of removal: without the pointer, readers see no index, whatever else is still there. */
const OURS = [
  'generation.json',
  'payloads',
  'records',
  'merge',
  'watch_status.json',
  'watch_supervisors',
  'watch_pending.json',
  'watch_claim.json',
];

/** These stay: who waits for a lock on one of them would otherwise hold a lock that nobody else sees. */
const KEPT = ['.gitignore', 'extraction.lock', 'watch_claim.json.lock', 'watch_claim.json.lease'];

export interface Removal {
  readonly removed: readonly string[];
  /** Names that Woods did not make. */
  readonly left: readonly string[];
}

/** Fails unless Woods made this directory: what it removes from it has names that others use too. */
export function refuseForeignDirectory(indexDir: string): void {
  const read = boundedRead(join(indexDir, '.gitignore'), 64);
  if (read.ok && read.text === '*\n') return;
  throw new Failure(
    'invalid_arguments',
    `expected an index directory that Woods made, with a .gitignore of *; found another at ${indexDir}`,
    {
      hint: 'remove it by hand if that is what you want',
    },
  );
}

/** Removes what Woods made. The caller holds the writer lock. Fails with `locked` when a worker lives or is starting. */
export function removeIndex(indexDir: string): Removal {
  const guard = lockIfThere(join(indexDir, 'watch_claim.json.lock'));
  try {
    const lease = lockIfThere(join(indexDir, 'watch_claim.json.lease'));
    lease.close();
    if (guard.state === 'busy' || lease.state === 'busy') throw inUse(indexDir, 'a worker');
    return removeOurs(indexDir);
  } finally {
    guard.close();
  }
}

/** Why the index may not be removed now. */
export function inUse(indexDir: string, who: string): Failure {
  return new Failure('locked', `${who} lives on the index ${indexDir}`, { hint: 'stop it first' });
}

function removeOurs(indexDir: string): Removal {
  const present = readdirSync(indexDir);
  const removed = OURS.filter((name) => present.includes(name));
  for (const name of removed) rmSync(join(indexDir, name), { recursive: true, force: true });
  return { removed, left: present.filter((name) => !OURS.includes(name) && !KEPT.includes(name)).sort() };
}

interface Lock {
  readonly state: 'ours' | 'busy' | 'none';
  close(): void;
}

/** Where there is no flock, no worker can run either. */
function lockIfThere(path: string): Lock {
  const none: Lock = { state: 'none', close: () => undefined };
  if (!flockSupport().ok) return none;
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return none;
    throw error;
  }
  return { state: flock(fd, 'exclusive') ? 'ours' : 'busy', close: () => closeSync(fd) };
}
