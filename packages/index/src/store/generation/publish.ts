/**
 * Publishing: a payload directory is filled and flushed, then the pointer moves, and only the pointer makes it true.
 * Whatever goes wrong before leaves the last generation as it was; whatever is left of a killed publisher has a number
 * above the current one and is removed by the next.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Pointer, readPointer, UsageError, writePointer } from '@woods/protocol';
import { errnoOf, IndexError, messageOf } from '../../errors.ts';
import type { FileBlock, HeldFile } from '../../model.ts';
import { locateFile, type View } from '../segment/view.ts';
import { ensureIndexDirectory, ensurePayloadsDirectory } from './directory.ts';
import { createFlushed, flushDirectory, linkOrCopy, PRIVATE_DIRECTORY } from './files.ts';
import { bodiesPath, MANIFEST, PAYLOADS, payloadName, segmentPath } from './layout.ts';
import { currentPointer, type Generation, openGeneration } from './load.ts';
import { encodeManifest, type GitState, MANIFEST_FORMAT, type Manifest, type SegmentEntry } from './manifest.ts';
import { findMerge, type PreparedMerge, prepareMerge, weigh, withMerge } from './merge.ts';
import { MAX_SEGMENTS, planMerge } from './merge-plan.ts';
import { highestPayload, prunePayloads, removeDirectory, removeLeftovers } from './prune.ts';
import { createSegmentCache, type SegmentCache } from './segment-cache.ts';
import { tallyAfter } from './tally.ts';
import { writeBlocks } from './write-segment.ts';

export interface PublishRequest {
  readonly indexDir: string;
  /** New, changed and re-linked files; all files when there is no generation to build on. */
  readonly blocks: readonly FileBlock[];
  /** Paths that are gone. */
  readonly removed: readonly string[];
  readonly manifest: {
    readonly reason: string;
    readonly root: string;
    readonly configFingerprint: string;
    readonly git: GitState | null;
    readonly held: readonly HeldFile[];
  };
  /** Generations to keep, the new one included. */
  readonly retention: number;
  /**
   * The generation that this is a change of; null: `blocks` are everything. When it is left out, a generation that can
   * be opened is changed and one that cannot is replaced: right for a caller that loaded it just before.
   */
  readonly previous?: Pointer | null;
  /** Saves reading the segments again that this process has in memory. */
  readonly cache?: SegmentCache;
  /** Touched just before the pointer moves; throws when the lock was lost, and nothing is published then. */
  readonly lock?: { touch(): void };
}

export interface PublishResult {
  readonly pointer: Pointer;
  readonly payloadDir: string;
  /** What went wrong after the pointer had moved: old payloads that could not be removed. Null when nothing did. */
  readonly afterthought: string | null;
}

/** Nobody merged for this long: the publisher does it itself, or each publish would cost more than the last. */
const MERGE_OVERDUE = 3 * MAX_SEGMENTS;

/** A generation that was not published. The one before it is still the current one. */
export class PublishError extends IndexError {
  override readonly name = 'PublishError';
  /** Such as ENOSPC; null when no system call failed. */
  readonly errno: string | null;

  constructor(generation: number | null, cause: unknown) {
    const what = generation === null ? 'the next generation' : `generation ${generation}`;
    super('internal_error', `${what} was not published: ${messageOf(cause)}`, { cause });
    this.errno = errnoOf(cause);
  }
}

/**
 * Publishes the next generation, for the holder of the writer lock. Cost: the new blocks, plus two links a segment.
 * Throws UsageError (the index directory is not one), IndexError `stale_index` (`previous` is not current any more),
 * PublishError (everything else).
 */
export async function publishGeneration(request: PublishRequest): Promise<PublishResult> {
  const { indexDir } = request;
  ensureIndexDirectory(indexDir);
  const cache = request.cache ?? createSegmentCache();
  const base = openBase(request, cache);
  const number = attempt(null, () => nextNumber(indexDir));
  const pointer: Pointer = {
    number,
    token: randomBytes(8).toString('hex'),
    updated_at: new Date().toISOString(),
    reason: request.manifest.reason,
    payload: payloadName(number),
  };
  const payloadDir = join(indexDir, pointer.payload);
  const merge = attempt(number, () => (base === null ? null : mergeFor(indexDir, base, cache)));
  try {
    fillPayload(request, { pointer, payloadDir, base, merge, cache });
    request.lock?.touch();
  } catch (error) {
    removeQuietly(payloadDir);
    throw asPublishError(number, error);
  }
  movePointer(indexDir, pointer, payloadDir);
  return { pointer, payloadDir, afterthought: tidy(request, number, merge) };
}

/** Makes room for the next payload, and says its number. */
function nextNumber(indexDir: string): number {
  ensurePayloadsDirectory(indexDir);
  const current = readPointer(indexDir);
  const number = current.kind === 'ok' ? current.value.number : 0;
  // With an unreadable pointer nobody knows which payload is current, so none is a leftover.
  if (current.kind !== 'corrupt') removeLeftovers(indexDir, number);
  return Math.max(number, highestPayload(indexDir)) + 1;
}

function openBase({ indexDir, previous }: PublishRequest, cache: SegmentCache): Generation | null {
  if (previous === null) return null;
  if (previous === undefined) return openOrNull(indexDir, cache);
  const pointer = currentPointer(indexDir);
  if (pointer.number !== previous.number || pointer.token !== previous.token) {
    throw new IndexError(
      'stale_index',
      `expected generation ${previous.number} to be current, found ${pointer.number}: another writer published; run again`,
    );
  }
  return openGeneration(indexDir, pointer, cache);
}

function openOrNull(indexDir: string, cache: SegmentCache): Generation | null {
  try {
    return openGeneration(indexDir, currentPointer(indexDir), cache);
  } catch (error) {
    if (error instanceof IndexError) return null;
    throw error;
  }
}

function mergeFor(indexDir: string, base: Generation, cache: SegmentCache): PreparedMerge | null {
  const waiting = findMerge(indexDir, base.manifest.segments);
  if (waiting !== null || base.manifest.segments.length < MERGE_OVERDUE) return waiting;
  return prepareMerge(indexDir, base, planMerge(weigh(base)) ?? 0, cache);
}

interface Filling {
  readonly pointer: Pointer;
  readonly payloadDir: string;
  readonly base: Generation | null;
  readonly merge: PreparedMerge | null;
  readonly cache: SegmentCache;
}

function fillPayload(request: PublishRequest, filling: Filling): void {
  const { pointer, payloadDir, base, merge, cache } = filling;
  const { blocks } = request;
  const removed = removedPaths(request, base);
  makePayloadDir(payloadDir);
  const old = base === null ? [] : merge === null ? base.manifest.segments : withMerge(base.manifest.segments, merge);
  const added =
    blocks.length === 0 && removed.length === 0
      ? []
      : [
          writeBlocks(
            payloadDir,
            `s${pointer.number}-${pointer.token.slice(0, 8)}`,
            { blocks, tombstones: removed },
            cache,
          ),
        ];
  const all = [...old, ...added];
  const directoryOf = (entry: SegmentEntry) => sourceDirectory(entry, filling);
  const view = cache.view(all, directoryOf);
  const segments = all.filter((_, at) => isNeeded(view, at));
  for (const entry of segments) {
    const from = directoryOf(entry);
    if (from === payloadDir) continue;
    linkOrCopy(segmentPath(from, entry.name), segmentPath(payloadDir, entry.name));
    linkOrCopy(bodiesPath(from, entry.name), bodiesPath(payloadDir, entry.name));
  }
  const manifest: Manifest = {
    format: MANIFEST_FORMAT,
    generation: pointer.number,
    publishedAt: pointer.updated_at,
    ...request.manifest,
    ...tallyAfter(base === null ? null : { tally: base.manifest, view: base.view }, { blocks, removed }),
    segments,
  };
  createFlushed(join(payloadDir, MANIFEST), [Buffer.from(encodeManifest(manifest))]);
  flushDirectory(payloadDir);
  flushDirectory(join(request.indexDir, PAYLOADS));
  cache.keepOnly(segments);
}

/** Only what the base has can be deleted from it, and a block for the same path is newer than its deletion. */
function removedPaths({ blocks, removed }: PublishRequest, base: Generation | null): string[] {
  if (base === null) return [];
  const present = new Set(blocks.map(({ input }) => input.path));
  return [...new Set(removed)].filter((path) => !present.has(path) && locateFile(base.view, path) !== null);
}

function makePayloadDir(payloadDir: string): void {
  removeDirectory(payloadDir);
  mkdirSync(payloadDir, { mode: PRIVATE_DIRECTORY });
}

function sourceDirectory(entry: SegmentEntry, { base, merge, payloadDir }: Filling): string {
  if (merge !== null && entry.name === merge.entry.name) return merge.directory;
  const published = base?.manifest.segments.some(({ name }) => name === entry.name) ?? false;
  return published && base !== null ? base.payloadDir : payloadDir;
}

/** A segment goes when all of its files were replaced and it deletes nothing from a segment before it. */
function isNeeded(view: View, at: number): boolean {
  const [first, end] = [view.firstFile[at] ?? 0, view.firstFile[at + 1] ?? 0];
  if (view.deadFiles.subarray(first, end).includes(0)) return true;
  const deletes = view.segments[at]?.tombstones.size ?? 0;
  return at > 0 && deletes > 0;
}

function movePointer(indexDir: string, pointer: Pointer, payloadDir: string): void {
  try {
    writePointer(indexDir, pointer);
  } catch (error) {
    // The rename may have happened before the failure: then readers follow it, and the payload must stay.
    const now = readPointer(indexDir);
    if (now.kind === 'ok' && now.value.token === pointer.token) return;
    removeQuietly(payloadDir);
    throw new PublishError(pointer.number, error);
  }
}

function tidy(request: PublishRequest, current: number, merge: PreparedMerge | null): string | null {
  try {
    if (merge !== null) removeDirectory(merge.directory);
    prunePayloads(request.indexDir, { current, keep: request.retention });
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

function attempt<T>(generation: number | null, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw asPublishError(generation, error);
  }
}

function asPublishError(generation: number | null, error: unknown): Error {
  return error instanceof UsageError || error instanceof PublishError ? error : new PublishError(generation, error);
}

function removeQuietly(directory: string): void {
  try {
    removeDirectory(directory);
  } catch {
    // The next writer removes it as a leftover; the first error is the one to tell.
  }
}
