import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errnoOf } from '@woods/protocol';
import { SKIP, tooLarge, unreadable } from './skip.ts';

/** A file that is being written is read again so many times. */
const ATTEMPTS = 3;

export type StableRead =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly stat: BigIntStats }
  | { readonly kind: 'skipped'; readonly reason: string; readonly stat: BigIntStats | null }
  | { readonly kind: 'gone' };

/**
 * Reads a file whole or not at all: bytes of two versions are never mixed. It never follows a link at the last name and
 * never blocks on what is no regular file.
 */
export function readStable(path: string, maxBytes: number): StableRead {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return describeOpenError(errnoOf(error) ?? String(error));
  }
  try {
    return readOpened(fd, maxBytes);
  } catch (error) {
    return { kind: 'skipped', reason: unreadable(errnoOf(error) ?? String(error)), stat: null };
  } finally {
    closeSync(fd);
  }
}

function describeOpenError(code: string): StableRead {
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'gone' };
  const reason = code === 'ELOOP' ? SKIP.link : code === 'ENXIO' ? SKIP.notAFile : unreadable(code);
  return { kind: 'skipped', reason, stat: null };
}

function readOpened(fd: number, maxBytes: number): StableRead {
  let before = fstatSync(fd, { bigint: true });
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (!before.isFile()) return { kind: 'skipped', reason: SKIP.notAFile, stat: before };
    const size = Number(before.size);
    if (size > maxBytes) return { kind: 'skipped', reason: tooLarge(maxBytes), stat: before };
    const bytes = readAll(fd, size);
    const after = fstatSync(fd, { bigint: true });
    if (bytes !== null && isSameVersion(before, after)) return { kind: 'bytes', bytes, stat: after };
    before = after;
  }
  return { kind: 'skipped', reason: SKIP.unstable, stat: null };
}

/** Exactly `size` bytes; null when the file has fewer or more by now. */
function readAll(fd: number, size: number): Buffer | null {
  // One byte more, to see growth that the times do not tell yet.
  const buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(fd, buffer, length, buffer.length - length, length);
    if (count === 0) break;
    length += count;
  }
  return length === size ? buffer.subarray(0, size) : null;
}

function isSameVersion(before: BigIntStats, after: BigIntStats): boolean {
  return before.size === after.size && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
}
