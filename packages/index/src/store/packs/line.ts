/**
 * One line of a pack: `{"key":"<key>","crc":"<8 hex>","record":<JSON>}`. The checksum covers key, newline and record.
 * Key and checksum stand in front, so that a pack is listed without parsing or keeping a record.
 */
import { crc32 } from 'node:zlib';

/** Printable ASCII without space, quote and backslash: needs no escape in JSON. */
const KEY = /^[!#-[\]-~]{1,512}$/;
const HEAD = /^\{"key":"([!#-[\]-~]{1,512})","crc":"([0-9a-f]{8})","record":/;
const NEWLINE = 0x0a;
const CLOSING_BRACE = 0x7d;
const END = Buffer.from('}\n');

/** The longest start of a line that `parseHead` looks at. */
const HEAD_BYTES = 600;

export interface LineHead {
  readonly key: string;
  readonly crc: number;
  /** Where the record begins, in bytes from the start of the line. */
  readonly recordStart: number;
}

/** Throws a TypeError for a key that is not 1 to 512 such characters and for JSON of more than one line. */
export function encodeLine(key: string, json: string): Buffer {
  if (!KEY.test(key)) throw new TypeError(`expected a key of printable ASCII, found ${JSON.stringify(key)}`);
  if (json.includes('\n')) throw new TypeError(`the record ${key} has more than one line`);
  const record = Buffer.from(json);
  const crc = recordCrc(key, record).toString(16).padStart(8, '0');
  return Buffer.concat([Buffer.from(`{"key":"${key}","crc":"${crc}","record":`), record, END]);
}

export function recordCrc(key: string, record: Uint8Array): number {
  return crc32(record, crc32(`${key}\n`));
}

function parseHead(head: string): LineHead | null {
  const match = HEAD.exec(head);
  const [whole, key, crc] = match ?? [];
  if (whole === undefined || key === undefined || crc === undefined) return null;
  return { key, crc: Number.parseInt(crc, 16), recordStart: whole.length };
}

/** A line as it stands in a file; the record is not looked at yet. */
export interface FoundLine {
  readonly key: string;
  readonly crc: number;
  /** Of the record, in the file. */
  readonly offset: number;
  readonly bytes: number;
}

export interface LineScan {
  /** Takes the next bytes of the file. */
  feed(chunk: Uint8Array): void;
  /** Where the first line that is not whole begins: the place to go on from when the file has grown. */
  end(): number;
}

/** Finds the lines of a pack in any cut, keeping no more than the head of one. Lines of another shape are passed over. */
export function scanLines(from: number, onLine: (line: FoundLine) => void): LineScan {
  let lineStart = from;
  let position = from;
  let head = '';
  let lastByte = 0;

  const finishLine = (lineEnd: number): void => {
    const parsed = parseHead(head);
    if (parsed !== null && lastByte === CLOSING_BRACE) {
      const offset = lineStart + parsed.recordStart;
      const bytes = lineEnd - 1 - offset;
      if (bytes > 0) onLine({ key: parsed.key, crc: parsed.crc, offset, bytes });
    }
    head = '';
    lastByte = 0;
    lineStart = lineEnd + 1;
  };

  return {
    feed: (chunk) => {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      for (let at = 0; at < bytes.length; ) {
        const newline = bytes.indexOf(NEWLINE, at);
        const end = newline < 0 ? bytes.length : newline;
        if (head.length < HEAD_BYTES)
          head += bytes.toString('latin1', at, Math.min(end, at + HEAD_BYTES - head.length));
        if (end > at) lastByte = bytes[end - 1] ?? 0;
        if (newline >= 0) finishLine(position + newline);
        at = end + 1;
      }
      position += bytes.length;
    },
    end: () => lineStart,
  };
}
