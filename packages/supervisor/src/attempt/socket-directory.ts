import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SelfIdentity } from '@woods/protocol';
import { markOwner, removeAbandoned } from './abandoned-sockets.ts';

/** A place for the event sockets of one supervisor, closed to every other user. */
export interface SocketDirectory {
  readonly path: string;
  /** A path that no earlier attempt had, so that a straggler of one cannot reach the next. */
  nextSocket(): string;
  remove(): void;
}

const PLACE = '/tmp';
const PREFIX = 'woods-events-';

/**
 * Makes it under /tmp whatever TMPDIR says: a socket's path may be 100 bytes long, and longer ones are cut without a
 * word. Null when it cannot be made: then children report over the descriptor alone.
 */
export function makeSocketDirectory(self: SelfIdentity): SocketDirectory | null {
  let path: string;
  try {
    path = mkdtempSync(join(PLACE, PREFIX));
  } catch {
    return null;
  }
  markOwner(path, self);
  let count = 0;
  return {
    path,
    nextSocket() {
      count += 1;
      return join(path, String(count));
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Those that killed supervisors and their guardians left. */
export function removeAbandonedSockets(): void {
  removeAbandoned(PLACE, PREFIX);
}
