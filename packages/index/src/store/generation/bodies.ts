/** The texts of files, beside their segment: read by offset, never as a whole. */
import { closeSync } from 'node:fs';
import { bodyRangeOf } from '../segment/rows.ts';
import type { Segment } from '../segment/segment.ts';
import { openRegular, readRange } from './files.ts';
import { bodiesPath } from './layout.ts';

/** The UTF-8 bytes of a file's text, or null when the index has none. Throws IndexError `corrupt_artifact`. */
export function readBody(directory: string, segment: Segment, file: number): Buffer | null {
  const bodies = openBodies(directory, segment);
  try {
    return bodies.read(file);
  } finally {
    bodies.close();
  }
}

export interface Bodies {
  /** As `readBody`. */
  read(file: number): Buffer | null;
  close(): void;
}

/** For many texts of one segment; the file is opened by the first read. */
export function openBodies(directory: string, segment: Segment): Bodies {
  const path = bodiesPath(directory, segment.name);
  let fd: number | null = null;
  return {
    read: (file) => {
      const range = bodyRangeOf(segment, file);
      if (range === null) return null;
      fd ??= openRegular(path);
      const text = Buffer.allocUnsafeSlow(range.bytes);
      readRange(fd, text, range.offset, path);
      return text;
    },
    close: () => {
      if (fd !== null) closeSync(fd);
      fd = null;
    },
  };
}
