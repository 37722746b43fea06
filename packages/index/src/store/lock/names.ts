/** Names in an index directory that have to do with the writer lock, and what they stand for. */
import { randomBytes } from 'node:crypto';
import { fstatSync, linkSync, lstatSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '@woods/protocol';

const NAME = 'extraction.lock';
/** Locks that are being made, and ones that were taken from a dead holder. */
const SIDE_NAME = /^extraction\.lock\.[0-9a-f]{16}\.(new|retired)$/;
export function isSideName(name: string): boolean {
  return SIDE_NAME.test(name);
}

export function lockPath(indexDir: string): string {
  return join(indexDir, NAME);
}

/** A name nobody else uses, for a moment. */
export function sidePath(indexDir: string, kind: 'new' | 'retired'): string {
  return `${lockPath(indexDir)}.${randomBytes(8).toString('hex')}.${kind}`;
}

/** Whether `path` is a name of the open file. */
export function names(path: string, fd: number): boolean {
  const there = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  const here = fstatSync(fd, { bigint: true });
  return there !== undefined && there.ino === here.ino && there.dev === here.dev;
}

/** Gives a file its real name, unless that is taken. */
export function linkTo(side: string, path: string): boolean {
  try {
    linkSync(side, path);
    return true;
  } catch (error) {
    // ENOENT: another writer swept our side file before it was locked; the caller tries again.
    if (errnoOf(error) === 'EEXIST' || errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

export function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}
