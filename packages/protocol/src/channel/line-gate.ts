import { isUtf8 } from 'node:buffer';
import { type Refusal, refuse } from '../records/verdict.ts';
import { quote } from '../values/quote.ts';

/** Stands before the parser and lets through only whole, short, valid lines that can be a JSON object. */
export interface LineGate {
  /** Hands each line without its newline to `onLine`, which says whether to go on; returns why it stopped, or null. */
  push(chunk: Buffer, onLine: (line: string) => Refusal | null): Refusal | null;
  /** At the end of the stream: a rest without a newline is a truncated record. */
  end(): Refusal | null;
}

const NEWLINE = 0x0a;

/** Holds at most `maxBytes` (newline included) of an unfinished line, in one buffer of its own, whatever comes in. */
export function createLineGate(maxBytes: number): LineGate {
  // An own copy, because a slice of the stream's chunk would keep all 64 KiB of it alive.
  let carry: Buffer | null = null;
  let held = 0;

  function hold(part: Buffer): void {
    carry ??= Buffer.allocUnsafeSlow(maxBytes);
    part.copy(carry, held);
    held += part.length;
  }

  function take(part: Buffer): Buffer {
    if (carry === null || held === 0) return part;
    hold(part);
    const line = carry.subarray(0, held);
    held = 0;
    return line;
  }

  function push(chunk: Buffer, onLine: (line: string) => Refusal | null): Refusal | null {
    let start = 0;
    while (start < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, start);
      const end = newline === -1 ? chunk.length : newline;
      if (held + (end - start) + 1 > maxBytes) return refuseLong(maxBytes);
      const part = chunk.subarray(start, end);
      if (newline === -1) {
        hold(part);
        return null;
      }
      const line = take(part);
      const refusal = judgeLine(line) ?? onLine(line.toString('utf8'));
      if (refusal !== null) return refusal;
      start = newline + 1;
    }
    return null;
  }

  function end(): Refusal | null {
    if (held === 0) return null;
    return refuse('truncated_line', `expected the last line to end with a newline, found ${held} bytes without one`);
  }

  return { push, end };
}

function refuseLong(maxBytes: number): Refusal {
  return refuse('line_too_long', `expected lines of at most ${maxBytes} bytes with the newline, found a longer one`);
}

/** Empty lines and bare values are refused here: the parser behind skips the one, and takes `null` for its end. */
function judgeLine(line: Buffer): Refusal | null {
  if (!isUtf8(line)) return refuse('invalid_encoding', 'expected UTF-8, found a line with other bytes');
  const first = line.toString('latin1').trimStart().at(0);
  if (first === undefined) return refuse('empty_line', 'expected one JSON object a line, found an empty line');
  if (first === '{') return null;
  return refuse('not_an_object', `expected one JSON object a line, found ${quote(line.toString('utf8', 0, 200))}`);
}
