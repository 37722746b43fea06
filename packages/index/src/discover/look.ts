import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import type { FileStamp } from '@woods/watch';
import type { SourceInput } from '../model.ts';
import type { Language } from '../record/file-record.ts';
import type { LanguageOf } from './language.ts';
import { distrust, distrustIfRacy, wallClockNs } from './racy.ts';
import { readStable } from './read-stable.ts';
import { maySettle } from './settings.ts';
import { SKIP, tooLarge } from './skip.ts';

/** Binary files show it early, as git knows. */
const NUL_WINDOW = 8192;

/** A file as it is on disk now. */
export type Look =
  | { readonly kind: 'source'; readonly input: SourceInput; readonly language: Language; readonly bytes: Buffer }
  | { readonly kind: 'skipped'; readonly input: SourceInput }
  | { readonly kind: 'gone' };

export interface LookOptions {
  /** Absolute and real. */
  readonly root: string;
  readonly languageOf: LanguageOf;
  readonly maxFileBytes: number;
}

/** What was seen of a file without opening it. `path` is what the index calls it. */
export interface Sighting {
  readonly path: string;
  readonly stamp: Omit<FileStamp, 'path' | 'dev'>;
  /** A reason not to open it; null when there is none. */
  readonly skipped: string | null;
}

/** Reads a file if something here can read it, and says why when it is skipped. Only files that are read have a hash. */
export function lookAt(sighting: Sighting, options: LookOptions): Look {
  const { path, stamp } = sighting;
  const language = options.languageOf(path);
  const reason = reasonToSkip(sighting, language, options);
  if (reason !== null) return skipped(path, stamp, language, reason);
  const readNs = wallClockNs();
  const read = readStable(`${options.root}/${path}`, options.maxFileBytes);
  if (read.kind === 'gone') return read;
  if (read.kind === 'skipped') {
    const look = skipped(path, read.stat === null ? stamp : timesOf(read.stat), language, read.reason);
    return read.reason === SKIP.unstable ? { ...look, input: distrust(look.input) } : look;
  }
  const { bytes } = read;
  const content = { hash: hash('sha256', bytes), language, skipped: contentProblem(bytes, language) };
  const input = distrustIfRacy({ path, ...timesOf(read.stat), ...content }, readNs);
  if (input.skipped !== null || language === null) return { kind: 'skipped', input };
  return { kind: 'source', input, language, bytes };
}

type Times = Pick<SourceInput, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino'>;

function reasonToSkip({ path, stamp, skipped }: Sighting, language: Language | null, { maxFileBytes }: LookOptions) {
  if (skipped !== null) return skipped;
  if (stamp.kind === 'link') return SKIP.link;
  if (stamp.kind === 'other') return SKIP.notAFile;
  if (language === null && !maySettle(path, stamp.size)) return SKIP.noExtractor;
  return stamp.size > maxFileBytes ? tooLarge(maxFileBytes) : null;
}

function contentProblem(bytes: Buffer, language: Language | null): string | null {
  if (language === null) return SKIP.noExtractor;
  if (bytes.subarray(0, NUL_WINDOW).includes(0)) return SKIP.binary;
  return isUtf8(bytes) ? null : SKIP.notUtf8;
}

function skipped(
  path: string,
  { size, mtimeNs, ctimeNs, ino }: Times,
  language: Language | null,
  reason: string,
): Look & { readonly kind: 'skipped' } {
  return { kind: 'skipped', input: { path, size, mtimeNs, ctimeNs, ino, hash: null, language, skipped: reason } };
}

function timesOf(stat: BigIntStats): Times {
  return { size: Number(stat.size), mtimeNs: stat.mtimeNs, ctimeNs: stat.ctimeNs, ino: stat.ino };
}
