import { Readable } from 'node:stream';
import { openRecordReader, type ReaderOptions, type Refusal } from '@woods/protocol';

export interface Received {
  readonly values: unknown[];
  /** Null when the channel ended well. */
  readonly refusal: Refusal | null;
}

/** Everything that a reader makes of these chunks, up to its end or refusal. */
export function receive(chunks: Iterable<Buffer>, options: ReaderOptions = {}): Promise<Received> {
  return receiveFrom(Readable.from(chunks, { objectMode: false }), options);
}

export function receiveFrom(stream: Readable, options: ReaderOptions = {}): Promise<Received> {
  const values: unknown[] = [];
  return new Promise((resolve) => {
    openRecordReader(
      stream,
      {
        onValue: (value) => values.push(value),
        onRefused: (refusal) => resolve({ values, refusal }),
        onEnd: () => resolve({ values, refusal: null }),
      },
      options,
    );
  });
}

/** Cuts `bytes` at these places, in any order. */
export function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...[...places].sort((a, b) => a - b).filter((place) => place <= bytes.length), bytes.length];
  return sorted.slice(1).map((end, at) => bytes.subarray(sorted[at] ?? 0, end));
}
