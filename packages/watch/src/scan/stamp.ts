import { type BigIntStats, lstatSync } from 'node:fs';
import { errnoOf } from '@woods/protocol';
import { nativePath } from '../bytes/path.ts';

/** `other`: FIFOs, sockets and devices, which nothing reads. Links are never followed. */
export type FileKind = 'file' | 'link' | 'other';

/** What tells whether a file is still the one that was seen last. */
export interface FileStamp {
  /** Root-relative byte path. */
  readonly path: string;
  readonly kind: FileKind;
  /** Bytes. */
  readonly size: number;
  /** Nanoseconds since 1970. */
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly ino: bigint;
  readonly dev: bigint;
}

export function stampOf(path: string, stat: BigIntStats): FileStamp {
  return {
    path,
    kind: stat.isFile() ? 'file' : stat.isSymbolicLink() ? 'link' : 'other',
    size: Number(stat.size),
    mtimeNs: stat.mtimeNs,
    ctimeNs: stat.ctimeNs,
    ino: stat.ino,
    dev: stat.dev,
  };
}

export type Look = { readonly stat: BigIntStats } | { readonly error: string };

/** lstat that hands an error's code back instead of throwing it. `absolute` is a byte path. */
export function look(absolute: string): Look {
  try {
    return { stat: lstatSync(nativePath(absolute), { bigint: true }) };
  } catch (error) {
    return { error: errorCode(error) };
  }
}

/** The system's name of an error, e.g. `EACCES`. */
export function errorCode(error: unknown): string {
  return errnoOf(error) ?? String(error);
}
