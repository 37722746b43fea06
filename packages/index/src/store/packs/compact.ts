/** Keeps a pack directory small: many files become one, and the oldest records go when there are too many bytes. */
import { closeSync, constants, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { flock, flockSupport } from '@woods/posix';
import { PRIVATE_FILE } from '../generation/files.ts';
import { encodeLine, type FoundLine } from './line.ts';
import {
  createPackFile,
  type ListedPack,
  listPacks,
  listUnfinished,
  openPackFile,
  readRecord,
  scanPack,
} from './pack-file.ts';

export interface PackBounds {
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/**
 * Compacts when there are more files or bytes than `bounds` allow, unless another process is at it. Files that a
 * writer has open stay. Failures are no one's concern: the cache stays as large as it is.
 */
export function compactPacks(dir: string, bounds: PackBounds): void {
  const packs = listPacks(dir);
  const bytes = packs.reduce((sum, pack) => sum + pack.bytes, 0);
  if (packs.length <= bounds.maxFiles && bytes <= bounds.maxBytes) return;
  try {
    if (flockSupport().ok) withCompactLock(dir, () => foldClosed(dir, packs, bounds));
    else dropOldest(packs, bounds.maxBytes / 2);
  } catch {
    // Full or read-only: nothing was lost, see above.
  }
}

/** Whose writer is gone cannot be told without locks, and deleting a file under a writer costs it no more than misses. */
function dropOldest(packs: readonly ListedPack[], keepBytes: number): void {
  let kept = 0;
  for (const { path, bytes } of packs) {
    kept += bytes;
    if (kept > keepBytes) unlinkSync(path);
  }
}

function withCompactLock(dir: string, action: () => void): void {
  const { O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
  const fd = openSync(join(dir, 'compact.lock'), O_RDWR | O_CREAT | O_NOFOLLOW, PRIVATE_FILE);
  try {
    if (flock(fd, 'exclusive')) action();
  } finally {
    closeSync(fd);
  }
}

interface Source {
  readonly path: string;
  readonly fd: number;
}

function foldClosed(dir: string, packs: readonly ListedPack[], bounds: PackBounds): void {
  for (const path of listUnfinished(dir)) unlinkSync(path);
  const sources: Source[] = [];
  let openBytes = 0;
  try {
    for (const { path, bytes } of packs) {
      const fd = openPackFile(path);
      if (fd === null) continue;
      if (flock(fd, 'exclusive')) sources.push({ path, fd });
      else {
        closeSync(fd);
        openBytes += bytes;
      }
    }
    // One closed file is folded only to shrink it.
    if (sources.length === 0 || (sources.length === 1 && packs.length > bounds.maxFiles)) return;
    foldInto(dir, sources, Math.max(0, bounds.maxBytes / 2 - openBytes));
  } finally {
    for (const { fd } of sources) closeSync(fd);
  }
}

/** `sources` newest first; of a key the newest record stays, and the newest records up to `keepBytes`. */
function foldInto(dir: string, sources: readonly Source[], keepBytes: number): void {
  const kept: { fd: number; line: FoundLine }[] = [];
  const keys = new Set<string>();
  let bytes = 0;
  for (const { fd } of sources) {
    const lines: FoundLine[] = [];
    scanPack(fd, 0, (line) => lines.push(line));
    for (const line of lines.reverse()) {
      if (keys.has(line.key) || bytes + line.bytes > keepBytes || readRecord(fd, line) === null) continue;
      keys.add(line.key);
      bytes += line.bytes;
      kept.push({ fd, line });
    }
  }
  // Oldest first, as in any pack: what is appended later is newer.
  writePack(dir, kept.reverse());
  for (const { path } of sources) unlinkSync(path);
}

function writePack(dir: string, lines: readonly { fd: number; line: FoundLine }[]): void {
  const { path, fd } = createPackFile(dir, 'unfinished');
  try {
    for (const { fd: from, line } of lines) {
      const record = readRecord(from, line);
      if (record !== null) appendAll(fd, encodeLine(line.key, record.toString('utf8')));
    }
    renameSync(path, path.slice(0, -'.tmp'.length));
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Throws the system's error; a part of the bytes may then stand in the file. */
export function appendAll(fd: number, bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(fd, bytes, done);
}
