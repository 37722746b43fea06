/** Everything of a generation but the pointer to it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Pointer } from '@woods/protocol';
import { locateFile, type View } from '../segment/view.ts';
import { createFlushed, flushDirectory, linkOrCopy, PRIVATE_DIRECTORY } from './files.ts';
import { bodiesPath, MANIFEST, PAYLOADS, segmentPath } from './layout.ts';
import type { Generation } from './load.ts';
import { encodeManifest, MANIFEST_FORMAT, type Manifest, type SegmentEntry } from './manifest.ts';
import { type PreparedMerge, withMerge } from './prepared-merge.ts';
import { removeDirectory } from './prune.ts';
import type { PublishRequest } from './publish-request.ts';
import type { SegmentCache } from './segment-cache.ts';
import { tallyAfter } from './tally.ts';
import { writeBlocks } from './write-segment.ts';

export interface Filling {
  readonly pointer: Pointer;
  readonly payloadDir: string;
  readonly base: Generation | null;
  readonly merge: PreparedMerge | null;
  readonly cache: SegmentCache;
}

/** Fills and flushes `payloadDir`. Throws the system's error and IndexError; what is there then is a leftover. */
export function fillPayload(request: PublishRequest, filling: Filling): void {
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
