import type { Readable } from 'node:stream';
import { MAX_RECORD_BYTES } from '../records/events.ts';
import { type Refusal, refuse } from '../records/verdict.ts';
import { quote } from '../values/quote.ts';
import { createFloodMeter, type FloodMeter, type FloodOptions } from './flood-meter.ts';
import { createLineGate } from './line-gate.ts';
import { openLineParser } from './line-parser.ts';

export interface RecordHandlers {
  /** One parsed line; the validator judges it. */
  onValue(value: unknown): void;
  /** The channel broke the framing; nothing follows. */
  onRefused(refusal: Refusal): void;
  /** The channel ended between two lines; nothing follows. */
  onEnd(): void;
}

export interface ReaderOptions extends FloodOptions {
  readonly maxBytes?: number;
  /** One meter for several channels of the same child; otherwise each reader has its own. */
  readonly meter?: FloodMeter;
}

/**
 * Reads records from a child's channel. Bounded whatever comes in: 4,096 bytes of a line, 1,000 records in 10 s.
 * Values arrive in order, and a refusal only after the last good one. After a refusal or `close` the stream is paused
 * and not destroyed: it is the caller's, who ends its writer first.
 */
export function openRecordReader(
  stream: Readable,
  handlers: RecordHandlers,
  options: ReaderOptions = {},
): { close(): void } {
  const gate = createLineGate(options.maxBytes ?? MAX_RECORD_BYTES);
  const meter = options.meter ?? createFloodMeter(options);
  const parse = openLineParser();
  let open = true;

  function close(): void {
    if (!open) return;
    open = false;
    stream.off('data', onData).off('end', onEnd).off('error', onEnd).off('close', onEnd);
    // a stream that breaks later must not end the process
    stream.on('error', () => {});
    stream.pause();
  }

  function settle(refusal: Refusal | null): void {
    if (!open) return;
    close();
    if (refusal === null) handlers.onEnd();
    else handlers.onRefused({ reason: refusal.reason, detail: refusal.detail });
  }

  function onLine(line: string): Refusal | null {
    if (!meter.admit()) return refuse('record_flood', `expected at most ${meter.limit}, found more`);
    const parsed = parse(line);
    if (parsed === null) return refuse('not_json', `expected one JSON object a line, found ${quote(line)}`);
    if (open) handlers.onValue(parsed.value);
    return null;
  }

  function onData(chunk: Buffer): void {
    const refusal = gate.push(chunk, onLine);
    if (refusal !== null) settle(refusal);
  }

  function onEnd(): void {
    settle(gate.end());
  }

  stream.on('data', onData).on('end', onEnd).on('error', onEnd).on('close', onEnd);
  // one that was paused on purpose until now does not flow by listening alone
  stream.resume();
  return { close };
}
