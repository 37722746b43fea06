import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { nativePath } from '../bytes/path.ts';
import type { FileKind } from '../scan/stamp.ts';

/** Larger files are taken for changed instead of being read again and again while they grow. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A digest of a file's bytes or of a link's target (`absolute` is a byte path); null when that cannot be told cheaply. */
export function contentDigest(absolute: string, kind: FileKind): string | null {
  try {
    if (kind === 'link') return digest(readlinkSync(nativePath(absolute), { encoding: 'buffer' }));
    return kind === 'file' ? fileDigest(absolute) : null;
  } catch {
    return null; // gone or out of reach since it was listed
  }
}

function fileDigest(absolute: string): string | null {
  // Neither flag matters for what was just listed as a file, only for what may have taken its place.
  const fd = openSync(nativePath(absolute), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > MAX_BYTES) return null;
    const bytes = Buffer.alloc(stat.size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(fd, bytes, length, bytes.length - length, null);
    }
    return digest(bytes.subarray(0, length));
  } finally {
    closeSync(fd);
  }
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64');
}
