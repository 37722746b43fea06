/**
 * The record cache: packs of NDJSON lines in one directory that all worktrees of a repository share. Each writer
 * appends to a file of its own, so nobody waits for anybody. It is a cache: what was put may be gone, and a failure to
 * write ends only the writing.
 */
import { closeSync, fstatSync, mkdirSync } from 'node:fs';
import { messageOf } from '../../errors.ts';
import { PRIVATE_DIRECTORY } from '../generation/files.ts';
import { appendAll, compactPacks, type PackBounds } from './compact.ts';
import { encodeLine, type FoundLine } from './line.ts';
import { createPackFile, listPacks, openPackFile, type PackFile, readRecord, scanPack } from './pack-file.ts';

export interface Pack {
  /** The JSON that was put under this key, byte for byte, or null. What the JSON says is for the caller to check. */
  get(key: string): string | null;
  /** Throws a TypeError for a key that is not 1 to 512 printable ASCII characters and for JSON of several lines. */
  put(key: string, json: string): void;
  /** Writes what was put. */
  flush(): void;
  /** Finds what other writers have put since. */
  refresh(): void;
  close(): void;
  /** Why nothing is written any more; null while all is well. */
  problem(): string | null;
}

const DEFAULT_BOUNDS: PackBounds = { maxBytes: 256 * 1024 * 1024, maxFiles: 16 };
const FLUSH_BYTES = 1024 * 1024;

/** Never throws: a directory that cannot be used is an empty cache with a `problem`. */
export function openPack(options: { dir: string; maxBytes?: number; maxFiles?: number }): Pack {
  const bounds: PackBounds = {
    maxBytes: options.maxBytes ?? DEFAULT_BOUNDS.maxBytes,
    maxFiles: options.maxFiles ?? DEFAULT_BOUNDS.maxFiles,
  };
  return new PackDirectory(options.dir, bounds);
}

interface Found {
  readonly fd: number;
  readonly line: FoundLine;
  /** The record to fall back on when this one is damaged. */
  readonly older: Found | null;
}

class PackDirectory implements Pack {
  readonly #dir: string;
  readonly #bounds: PackBounds;
  readonly #files = new Map<string, PackFile>();
  readonly #lines = new Map<string, Found>();
  readonly #pending = new Map<string, { json: string; line: Buffer }>();
  #pendingBytes = 0;
  #own: { path: string; fd: number } | null = null;
  #problem: string | null = null;

  constructor(dir: string, bounds: PackBounds) {
    this.#dir = dir;
    this.#bounds = bounds;
    this.#orStopWriting(() => mkdirSync(dir, { recursive: true, mode: PRIVATE_DIRECTORY }));
    compactPacks(dir, bounds);
    this.refresh();
  }

  get(key: string): string | null {
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending.json;
    for (let found = this.#lines.get(key) ?? null; found !== null; found = found.older) {
      const record = readRecord(found.fd, found.line);
      if (record !== null) return record.toString('utf8');
    }
    return null;
  }

  put(key: string, json: string): void {
    const line = encodeLine(key, json);
    if (this.#problem !== null) return;
    this.#pending.set(key, { json, line });
    this.#pendingBytes += line.length;
    if (this.#pendingBytes >= FLUSH_BYTES) this.flush();
  }

  flush(): void {
    if (this.#pending.size === 0) return;
    const lines = [...this.#pending.values()].map(({ line }) => line);
    this.#pending.clear();
    this.#pendingBytes = 0;
    this.#orStopWriting(() => this.#append(Buffer.concat(lines)));
  }

  refresh(): void {
    const listed = listPacks(this.#dir);
    this.#forgetGone(new Set(listed.map(({ path }) => path)));
    // Oldest first: of a key that two packs have, the newer one counts.
    for (const { path, bytes } of listed.reverse()) {
      const known = this.#files.get(path);
      if (known !== undefined && known.scanned >= bytes) continue;
      const fd = known?.fd ?? openPackFile(path);
      if (fd !== null) this.#scan({ path, fd, scanned: known?.scanned ?? 0 });
    }
  }

  close(): void {
    this.flush();
    this.#closeFiles();
    this.#problem ??= 'it is closed';
  }

  problem(): string | null {
    return this.#problem;
  }

  /** After a compaction most lines have moved, so what is known starts over, except for the file that is being written. */
  #forgetGone(present: ReadonlySet<string>): void {
    if ([...this.#files.keys()].every((path) => present.has(path))) return;
    const own = this.#own !== null && present.has(this.#own.path) ? this.#own : null;
    for (const { fd } of this.#files.values()) if (fd !== own?.fd) closeSync(fd);
    this.#files.clear();
    this.#lines.clear();
    if (own !== null) this.#files.set(own.path, { ...own, scanned: 0 });
    this.#own = own;
  }

  #append(bytes: Buffer): void {
    this.#own ??= this.#createOwn();
    const { path, fd } = this.#own;
    appendAll(fd, bytes);
    const file = this.#files.get(path);
    if (file !== undefined) this.#scan(file);
    if (fstatSync(fd).size > this.#bounds.maxBytes / 8) this.#rotate();
  }

  #createOwn(): { path: string; fd: number } {
    mkdirSync(this.#dir, { recursive: true, mode: PRIVATE_DIRECTORY });
    const own = createPackFile(this.#dir);
    this.#files.set(own.path, { ...own, scanned: 0 });
    return own;
  }

  /** A writer that lives for weeks must not hold its first records back from compaction. */
  #rotate(): void {
    this.#closeFiles();
    compactPacks(this.#dir, this.#bounds);
    this.refresh();
  }

  #scan(file: PackFile): void {
    const scanned = scanPack(file.fd, file.scanned, (line) => {
      this.#lines.set(line.key, { fd: file.fd, line, older: this.#lines.get(line.key) ?? null });
    });
    this.#files.set(file.path, { ...file, scanned });
  }

  #closeFiles(): void {
    for (const { fd } of this.#files.values()) closeSync(fd);
    this.#files.clear();
    this.#lines.clear();
    this.#own = null;
  }

  #orStopWriting(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#problem ??= messageOf(error);
    }
  }
}
