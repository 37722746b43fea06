import { randomBytes } from 'node:crypto';
import { closeSync, constants, fchmodSync, fsyncSync, openSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../names/usage-error.ts';
import { errnoOf } from '../values/errors.ts';

/** Names of temporary files, so that the rests of a killed writer can be told from everything else. */
const TEMPORARY = /^\..*\.[0-9a-f]{12}\.tmp$/;

/** Some file systems cannot flush a directory; the rename is as durable there as it can be. */
const UNFLUSHABLE = new Set(['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR', 'EBADF']);

/**
 * Replaces `path` by `data` as a whole: readers see the old file or the new one, also after a crash. Exactly `mode`,
 * whatever the umask; a link at `path` is replaced, not followed. Throws UsageError when `path` is a directory, which only
 * a person can have made, else the system's error, and leaves nothing then.
 */
export function atomicWrite(path: string, data: string | Uint8Array, options: { mode: number }): void {
  const directory = dirname(path);
  const temporary = join(directory, `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    writeDurably(temporary, data, options.mode);
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    if (errnoOf(error) !== 'EISDIR') throw error;
    throw new UsageError(`${path} must be a file, but it is a directory; remove it`, { cause: error });
  }
  flushDirectory(directory);
}

/** Whether `name` is a temporary file of `atomicWrite`. */
export function isTemporaryName(name: string): boolean {
  return TEMPORARY.test(name);
}

function writeDurably(path: string, data: string | Uint8Array, mode: number): void {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    fchmodSync(fd, mode);
    writeFileSync(fd, data);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function flushDirectory(path: string): void {
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } catch (error) {
    if (!UNFLUSHABLE.has(errnoOf(error) ?? '')) throw error;
  } finally {
    closeSync(fd);
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // it was never made, or the directory is gone; the first error is the one to tell
  }
}
