import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Pointer } from '@woods/protocol';
import { messageOf } from '../../errors.ts';
import type { Edge, FileBlock, SourceInput } from '../../model.ts';
import { blockOfFile, edgesOfBlock } from '../segment/block.ts';
import { sourceInputOf } from '../segment/rows.ts';
import { pathOf } from '../segment/segment.ts';
import { eachLiveFile, locateFile } from '../segment/view.ts';
import { readBody } from './bodies.ts';
import { bodiesPath, MANIFEST, segmentPath } from './layout.ts';
import { currentPointer, type Generation, openGeneration } from './load.ts';
import type { Manifest } from './manifest.ts';
import { createSegmentCache, type SegmentCache } from './segment-cache.ts';

/** What a writer needs of the last generation. */
export interface PublishedIndex {
  readonly kind: 'ok';
  readonly pointer: Pointer;
  readonly manifest: Manifest;
  /** All files, by path. Made anew by each read of this property: for a start, not for a loop. */
  readonly inputs: Map<string, SourceInput>;
  readonly paths: string[];
  /** Whether all its files are still there, as long as they were: one can be taken away from under a process that lives on. */
  isWhole(): boolean;
  /** Null for a path that the generation has not. Throws IndexError `corrupt_artifact`. */
  blockOf(path: string): FileBlock | null;
  /** The edges of a block, without its text being read. */
  edgesOf(path: string): readonly Edge[] | null;
}

export type Published = PublishedIndex | { readonly kind: 'none'; readonly reason: string };

/**
 * Opens the published generation for its writer, who holds the writer lock. `none` when there is nothing to build on:
 * no pointer, a corrupt one, a payload that is gone or damaged; the next publish must then hold everything.
 */
export function loadPublished(indexDir: string, cache: SegmentCache = createSegmentCache()): Published {
  try {
    const generation = openGeneration(indexDir, currentPointer(indexDir), cache);
    cache.keepOnly(generation.manifest.segments);
    const published = publishedOf(generation);
    if (published.isWhole()) return published;
    return { kind: 'none', reason: `a file of generation ${published.pointer.number} is gone or cut short` };
  } catch (error) {
    return { kind: 'none', reason: messageOf(error) };
  }
}

function publishedOf({ pointer, manifest, view, payloadDir }: Generation): PublishedIndex {
  return {
    kind: 'ok',
    pointer,
    manifest,
    get inputs() {
      const inputs = new Map<string, SourceInput>();
      eachLiveFile(view, (_, { segment, number }) => {
        const input = sourceInputOf(segment, number);
        inputs.set(input.path, input);
      });
      return inputs;
    },
    get paths() {
      const paths: string[] = [];
      eachLiveFile(view, (_, { segment, number }) => paths.push(pathOf(segment, number)));
      return paths;
    },
    isWhole: () =>
      hasFile(join(payloadDir, MANIFEST)) &&
      manifest.segments.every(
        ({ name, bytes, bodiesBytes }) =>
          hasFile(segmentPath(payloadDir, name), bytes) && hasFile(bodiesPath(payloadDir, name), bodiesBytes),
      ),
    blockOf: (path) => {
      const place = locateFile(view, path);
      if (place === null) return null;
      const body = readBody(payloadDir, place.segment, place.number);
      return { ...blockOfFile(place.segment, place.number), source: body === null ? null : body.toString('utf8') };
    },
    edgesOf: (path) => {
      const place = locateFile(view, path);
      return place === null ? null : edgesOfBlock(place.segment, place.number);
    },
  };
}

function hasFile(path: string, bytes?: number): boolean {
  try {
    const found = lstatSync(path);
    return found.isFile() && (bytes === undefined || found.size === bytes);
  } catch {
    return false;
  }
}
