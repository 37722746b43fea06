/** Pack files on disk. Any of them may be deleted at any time: whoever has one open goes on reading it. */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { flock, flockSupport } from '@woods/posix';
import { PRIVATE_FILE } from '../generation/files.ts';
import { type FoundLine, recordCrc, scanLines } from './line.ts';

const NAME = /^[A-Za-z0-9-]{1,80}\.ndjson$/;
/** A pack that is still being made out of others. */
const UNFINISHED = /^[A-Za-z0-9-]{1,80}\.ndjson\.tmp$/;
const CHUNK_BYTES = 1024 * 1024;

export interface PackFile {
  readonly path: string;
  readonly fd: number;
  /** Up to where its lines are known. */
  readonly scanned: number;
}

export interface ListedPack {
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** Newest first. Empty when the directory is not there or cannot be read. */
export function listPacks(dir: string): ListedPack[] {
  const found = namesIn(dir).flatMap((name) => {
    const path = join(dir, name);
    const stats = NAME.test(name) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
    return stats?.isFile() === true ? [{ path, bytes: stats.size, mtimeMs: stats.mtimeMs }] : [];
  });
  return found.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? 1 : -1));
}

/** What killed compactions left. */
export function listUnfinished(dir: string): string[] {
  return namesIn(dir).flatMap((name) => (UNFINISHED.test(name) ? [join(dir, name)] : []));
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

/** Null when it is gone, a link, or no file. */
export function openPackFile(path: string): number | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  return null;
}

/** Reports the whole lines from byte `from` on; returns the byte to go on from later. */
export function scanPack(fd: number, from: number, onLine: (line: FoundLine) => void): number {
  const scan = scanLines(from, onLine);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let offset = from; ; ) {
    const count = readSync(fd, chunk, 0, chunk.length, offset);
    if (count === 0) return scan.end();
    scan.feed(chunk.subarray(0, count));
    offset += count;
  }
}

/** The record of a line, or null when its bytes are not those that were written. */
export function readRecord(fd: number, line: FoundLine): Buffer | null {
  const record = Buffer.allocUnsafe(line.bytes);
  let done = 0;
  while (done < record.length) {
    const count = readSync(fd, record, done, record.length - done, line.offset + done);
    if (count === 0) return null;
    done += count;
  }
  return recordCrc(line.key, record) === line.crc ? record : null;
}

/**
 * A new file of this writer's own, which keeps an flock on it, so that nobody folds it into another while it grows.
 * Throws the system's error.
 */
export function createPackFile(dir: string, stage: 'open' | 'unfinished' = 'open'): { path: string; fd: number } {
  const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;
  const suffix = stage === 'open' ? '' : '.tmp';
  const path = join(dir, `${process.pid}-${randomBytes(6).toString('hex')}.ndjson${suffix}`);
  const fd = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, PRIVATE_FILE);
  if (flockSupport().ok) flock(fd, 'shared');
  return { path, fd };
}
