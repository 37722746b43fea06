import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errnoOf } from '../values/errors.ts';
import { printable } from '../values/quote.ts';

export type BoundedRead =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly reason: 'missing' | 'not_a_file' | 'link' | 'too_large' | 'unreadable';
      /** One line for the user, without the path. */
      readonly detail: string;
    };

export interface BoundedReadOptions {
  /** Refused by default. `follow` is for what the user keeps himself, such as a linked configuration file. */
  readonly links?: 'refuse' | 'follow';
}

/**
 * The text of a regular file of at most `maxBytes`. Never follows a link at the path's last name (unless told to),
 * never blocks on a FIFO or device, never reads more than the bound, and never throws.
 */
export function boundedRead(path: string, maxBytes: number, options: BoundedReadOptions = {}): BoundedRead {
  const noFollow = options.links === 'follow' ? 0 : constants.O_NOFOLLOW;
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | noFollow);
  } catch (error) {
    return describeOpenError(error);
  }
  try {
    return readRegular(fd, maxBytes);
  } catch (error) {
    return { ok: false, reason: 'unreadable', detail: messageOf(error) };
  } finally {
    closeSync(fd);
  }
}

function readRegular(fd: number, maxBytes: number): BoundedRead {
  const stats = fstatSync(fd);
  if (!stats.isFile()) {
    return { ok: false, reason: 'not_a_file', detail: 'expected a regular file, found something else' };
  }
  if (stats.size > maxBytes) return tooLarge(maxBytes, stats.size);
  // One byte more than the bound, to tell a file that grew meanwhile from one that just fits.
  const buffer = Buffer.allocUnsafe(maxBytes + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(fd, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
  }
  if (length > maxBytes) return tooLarge(maxBytes, length);
  const bytes = buffer.subarray(0, length);
  if (!isUtf8(bytes)) return { ok: false, reason: 'unreadable', detail: 'expected UTF-8 text, found other bytes' };
  return { ok: true, text: bytes.toString('utf8') };
}

function tooLarge(maxBytes: number, size: number): BoundedRead {
  return { ok: false, reason: 'too_large', detail: `expected at most ${maxBytes} bytes, found ${size} or more` };
}

function describeOpenError(error: unknown): BoundedRead {
  const code = errnoOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: false, reason: 'missing', detail: 'there is no such file' };
  if (code === 'ELOOP' || code === 'EMLINK') {
    return { ok: false, reason: 'link', detail: 'expected a regular file, found a symbolic link' };
  }
  if (code === 'ENXIO') return { ok: false, reason: 'not_a_file', detail: 'expected a regular file, found a socket' };
  return { ok: false, reason: 'unreadable', detail: messageOf(error) };
}

function messageOf(error: unknown): string {
  return printable(error instanceof Error ? error.message : String(error));
}
