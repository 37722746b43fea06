import type { FileBlock } from '../../model.ts';
import { segmentFileOfBlock } from '../segment/block.ts';
import { type EncodedSegment, encodeSegment } from '../segment/encode.ts';
import { openSegment } from '../segment/segment.ts';
import type { SegmentFile } from '../segment/segment-file.ts';
import { createFlushed } from './files.ts';
import { bodiesPath, segmentPath } from './layout.ts';
import type { SegmentEntry } from './manifest.ts';
import type { SegmentCache } from './segment-cache.ts';

/** Encodes blocks and writes them as a segment with its bodies; the segment is in `cache` afterwards. */
export function writeBlocks(
  directory: string,
  name: string,
  content: { blocks: readonly FileBlock[]; tombstones: Iterable<string> },
  cache: SegmentCache,
): SegmentEntry {
  const sources = new Map(content.blocks.map(({ input, source }) => [input.path, source]));
  const encoded = encodeSegment({ files: content.blocks.map(segmentFileOfBlock), tombstones: content.tombstones });
  return writeSegment(directory, name, encoded, ({ input }) => textOf(sources.get(input.path) ?? null), cache);
}

function textOf(source: string | null): Uint8Array | null {
  return source === null ? null : Buffer.from(source);
}

/** `bodyOf` is asked once for each file that has a text, in order; it must return as many bytes as were announced. */
export function writeSegment(
  directory: string,
  name: string,
  encoded: EncodedSegment,
  bodyOf: (file: SegmentFile, at: number) => Uint8Array | null,
  cache: SegmentCache,
): SegmentEntry {
  const bodies = createFlushed(bodiesPath(directory, name), bodiesOf(encoded, bodyOf));
  const segment = createFlushed(segmentPath(directory, name), [encoded.bytes]);
  const entry: SegmentEntry = {
    name,
    bytes: segment.bytes,
    sha256: segment.sha256,
    bodiesBytes: bodies.bytes,
    bodiesSha256: bodies.sha256,
  };
  cache.put(entry, openSegment(ownMemory(encoded.bytes), name));
  return entry;
}

function* bodiesOf(
  { files }: EncodedSegment,
  bodyOf: (file: SegmentFile, at: number) => Uint8Array | null,
): Generator<Uint8Array> {
  for (const [at, file] of files.entries()) {
    if (file.bodyBytes === null) continue;
    const body = bodyOf(file, at);
    if (body?.length !== file.bodyBytes) {
      throw new TypeError(`${file.input.path}: expected ${file.bodyBytes} bytes of text, found ${body?.length}`);
    }
    yield body;
  }
}

/** Small buffers share memory with others, at offsets that columns cannot start from. */
function ownMemory(bytes: Uint8Array): ArrayBuffer {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && bytes.byteOffset === 0 && bytes.length === buffer.byteLength) return buffer;
  return new Uint8Array(bytes).buffer;
}
