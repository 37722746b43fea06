/**
 * Publishing: a payload directory is filled and flushed, then the pointer moves, and only the pointer makes it true.
 * Whatever goes wrong before leaves the last generation as it was; whatever is left of a killed publisher has a number
 * above the current one and is removed by the next.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Pointer, readPointer, writePointer } from '@woods/protocol';
import { messageOf } from '../../errors.ts';
import { openBase } from './base.ts';
import { ensureIndexDirectory, ensurePayloadsDirectory } from './directory.ts';
import { fillPayload } from './fill-payload.ts';
import { payloadName } from './layout.ts';
import type { Generation } from './load.ts';
import { weigh } from './merge.ts';
import { MAX_SEGMENTS, planMerge } from './merge-plan.ts';
import { prepareMerge } from './prepare-merge.ts';
import { findMerge, type PreparedMerge } from './prepared-merge.ts';
import { highestPayload, prunePayloads, removeDirectory, removeLeftovers } from './prune.ts';
import { asPublishError, attempt } from './publish-error.ts';
import type { PublishRequest } from './publish-request.ts';
import { createSegmentCache, type SegmentCache } from './segment-cache.ts';

export interface PublishResult {
  readonly pointer: Pointer;
  readonly payloadDir: string;
  /** What went wrong after the pointer had moved: old payloads that could not be removed. Null when nothing did. */
  readonly afterthought: string | null;
}

/** Nobody merged for this long: the publisher does it itself, or each publish would cost more than the last. */
const MERGE_OVERDUE = 3 * MAX_SEGMENTS;

/**
 * Publishes the next generation, for the holder of the writer lock. Cost: the new blocks, plus two links a segment.
 * Throws UsageError (the index directory is not one, or something else has the name of a file or directory in it),
 * IndexError `stale_index` (`previous` is not current any more), PublishError (everything else).
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

function mergeFor(indexDir: string, base: Generation, cache: SegmentCache): PreparedMerge | null {
  const waiting = findMerge(indexDir, base.manifest.segments);
  if (waiting !== null || base.manifest.segments.length < MERGE_OVERDUE) return waiting;
  return prepareMerge(indexDir, base, planMerge(weigh(base)) ?? 0, cache);
}

function movePointer(indexDir: string, pointer: Pointer, payloadDir: string): void {
  try {
    writePointer(indexDir, pointer);
  } catch (error) {
    // The rename may have happened before the failure: then readers follow it, and the payload must stay.
    const now = readPointer(indexDir);
    if (now.kind === 'ok' && now.value.token === pointer.token) return;
    removeQuietly(payloadDir);
    throw asPublishError(pointer.number, error);
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

function removeQuietly(directory: string): void {
  try {
    removeDirectory(directory);
  } catch {
    // The next writer removes it as a leftover; the first error is the one to tell.
  }
}
