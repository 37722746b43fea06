/** Writing what must survive a crash, and reading what another process may take away. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { errnoOf } from '@woods/protocol';
import { damaged, messageOf } from '../../errors.ts';

export const PRIVATE_FILE = 0o600;
export const PRIVATE_DIRECTORY = 0o700;

const BATCH_BYTES = 1024 * 1024;

/** Errors of a file system that cannot link this file, as opposed to one that cannot write. */
const UNLINKABLE = new Set(['EPERM', 'EXDEV', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
/** Some file systems cannot flush a directory; nothing more can be done for them. */
const UNFLUSHABLE = new Set(['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR', 'EBADF']);

export interface Written {
  readonly bytes: number;
  readonly sha256: string;
}

/** Creates `path` with these chunks, flushed to the disk. Throws the system's error, EEXIST included. */
export function createFlushed(path: string, chunks: Iterable<Uint8Array>): Written {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, PRIVATE_FILE);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for (const chunk of batches(chunks)) {
      hash.update(chunk);
      writeAll(fd, chunk);
      bytes += chunk.length;
    }
    fsyncSync(fd);
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    closeSync(fd);
  }
}

/** Thousands of small texts become a few large writes. */
function* batches(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  let batch: Uint8Array[] = [];
  let bytes = 0;
  for (const chunk of chunks) {
    batch.push(chunk);
    bytes += chunk.length;
    if (bytes < BATCH_BYTES) continue;
    yield batch.length === 1 ? chunk : Buffer.concat(batch, bytes);
    batch = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(batch, bytes);
}

function writeAll(fd: number, bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(fd, bytes, done);
}

/** A second name for a file, or a copy of it where the file system has no second names. */
export function linkOrCopy(from: string, to: string, link: typeof linkSync = linkSync): 'linked' | 'copied' {
  try {
    link(from, to);
    return 'linked';
  } catch (error) {
    if (!UNLINKABLE.has(errnoOf(error) ?? '')) throw error;
  }
  copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  flush(to, constants.O_RDONLY);
  return 'copied';
}

export function flushDirectory(path: string): void {
  try {
    flush(path, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch (error) {
    if (!UNFLUSHABLE.has(errnoOf(error) ?? '')) throw error;
  }
}

function flush(path: string, flags: number): void {
  const fd = openSync(path, flags);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * The whole of an immutable file that must have exactly `bytes` bytes, in memory of its own (so that columns may be
 * views over it). Throws IndexError `corrupt_artifact`; its `cause` is the system's error, if there was one.
 */
export function readExactly(path: string, bytes: number): ArrayBuffer {
  const fd = openRegular(path);
  try {
    const { size } = fstatSync(fd);
    if (size !== bytes) throw damaged(path, `expected ${bytes} bytes, found ${size}`);
    const buffer = new ArrayBuffer(bytes);
    readRange(fd, new Uint8Array(buffer), 0, path);
    return buffer;
  } finally {
    closeSync(fd);
  }
}

/** A descriptor of a regular file, never of what a link points to. Throws IndexError `corrupt_artifact`. */
export function openRegular(path: string): number {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const what = errnoOf(error) === 'ENOENT' ? 'it is gone' : messageOf(error);
    throw damaged(path, what, { cause: error });
  }
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw damaged(path, 'expected a regular file');
}

/** Fills `target` from `offset` of the file. Throws IndexError `corrupt_artifact` where the file ends too early. */
export function readRange(fd: number, target: Uint8Array, offset: number, path: string): void {
  let done = 0;
  while (done < target.length) {
    const count = readSync(fd, target, done, target.length - done, offset + done);
    if (count === 0) throw damaged(path, `it ends before byte ${offset + target.length}`);
    done += count;
  }
}
