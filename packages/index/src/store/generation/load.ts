/** Pointer → manifest → segments: the one way into a published generation, for readers and writers. */
import { join } from 'node:path';
import { boundedRead, type Pointer, readPointer, resolvePayload } from '@woods/protocol';
import { damaged, IndexError, messageOf } from '../../errors.ts';
import type { View } from '../segment/view.ts';
import { decodeManifest } from './decode-manifest.ts';
import { MANIFEST } from './layout.ts';
import { MANIFEST_MAX_BYTES, type Manifest } from './manifest.ts';
import type { SegmentCache } from './segment-cache.ts';

export interface Generation {
  readonly pointer: Pointer;
  readonly payloadDir: string;
  readonly manifest: Manifest;
  readonly view: View;
}

/** Throws IndexError: `empty_index` when nothing was published yet, `corrupt_artifact` when it cannot be read. */
export function currentPointer(indexDir: string): Pointer {
  const read = readPointer(indexDir);
  switch (read.kind) {
    case 'ok':
      return read.value;
    case 'missing':
      throw new IndexError('empty_index', `${indexDir} holds no published index; run woods extract`);
    case 'corrupt':
      throw damaged(join(indexDir, 'generation.json'), read.detail);
  }
}

/** Opens what `pointer` names, each segment only if `cache` has it not. Throws IndexError `corrupt_artifact`. */
export function openGeneration(indexDir: string, pointer: Pointer, cache: SegmentCache): Generation {
  const payloadDir = payloadDirOf(indexDir, pointer);
  const manifest = readManifest(payloadDir);
  if (manifest.generation !== pointer.number) {
    throw damaged(payloadDir, `expected generation ${pointer.number}, found ${manifest.generation}`);
  }
  const view = cache.view(manifest.segments, () => payloadDir);
  return { pointer, payloadDir, manifest, view };
}

/** Throws IndexError `corrupt_artifact` for a payload outside the index directory. */
export function payloadDirOf(indexDir: string, pointer: Pointer): string {
  try {
    return resolvePayload(indexDir, pointer);
  } catch (error) {
    throw new IndexError('corrupt_artifact', `${join(indexDir, 'generation.json')}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Throws IndexError `corrupt_artifact`. */
export function readManifest(payloadDir: string): Manifest {
  const path = join(payloadDir, MANIFEST);
  const read = boundedRead(path, MANIFEST_MAX_BYTES);
  const decoded = read.ok ? decodeManifest(read.text) : read;
  if (decoded.ok) return decoded.manifest;
  throw damaged(path, decoded.detail);
}
