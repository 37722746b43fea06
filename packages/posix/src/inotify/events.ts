import { endianness } from 'node:os';

/** One `struct inotify_event`. */
export interface InotifyEvent {
  /** Number of the watch; -1 for an overflow of the queue. */
  readonly watch: number;
  /** Bits of `IN`. */
  readonly mask: number;
  /** Byte path (latin1) of one entry; '' when the event is about the watched directory itself. */
  readonly name: string;
}

/** int wd, uint32_t mask, uint32_t cookie, uint32_t len, then the name in `len` bytes, filled up with NULs. */
const HEADER_BYTES = 16;
const LITTLE = endianness() === 'LE';

/** Takes apart what one `read` of an inotify descriptor gave; the kernel only gives whole events. */
export function eachEvent(bytes: Buffer, take: (event: InotifyEvent) => void): void {
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const nameAt = at + HEADER_BYTES;
    const nameBytes = word(bytes, at + 12);
    const name = nameBytes === 0 ? '' : upToNul(bytes.subarray(nameAt, nameAt + nameBytes));
    take({ watch: word(bytes, at) | 0, mask: word(bytes, at + 4), name });
    at = nameAt + nameBytes;
  }
}

function word(bytes: Buffer, at: number): number {
  return LITTLE ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
}

function upToNul(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('latin1', 0, end < 0 ? bytes.length : end);
}
