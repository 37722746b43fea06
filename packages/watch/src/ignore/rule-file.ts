import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { nativePath } from '../bytes/path.ts';

/** Names of the files that hold rules for their own directory. */
export const GIT_RULES = '.gitignore';
export const WOODS_RULES = '.woodsignore';

/** Longer files are read to here; git's own limit is further out, but no rule file is. */
const MAX_BYTES = 1024 * 1024;

/** Whether links are followed: git refuses to for files in the tree and does for those outside. */
export type LinkRule = 'follow' | 'refuse';

/** The text of a rule file, one character a byte; '' when there is none or it cannot be read (git does not stop for that). */
export function readRuleFile(path: string, links: LinkRule): string {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (links === 'refuse' ? constants.O_NOFOLLOW : 0);
  try {
    const fd = openSync(nativePath(path), flags);
    try {
      return fstatSync(fd).isFile() ? readUpTo(fd, MAX_BYTES) : '';
    } finally {
      closeSync(fd);
    }
  } catch {
    return '';
  }
}

function readUpTo(fd: number, maxBytes: number): string {
  const chunks: Buffer[] = [];
  for (let left = maxBytes; left > 0; ) {
    const chunk = Buffer.alloc(Math.min(left, 64 * 1024));
    const read = readSync(fd, chunk);
    if (read === 0) break;
    chunks.push(chunk.subarray(0, read));
    left -= read;
  }
  return Buffer.concat(chunks).toString('latin1');
}
