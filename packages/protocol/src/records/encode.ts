import { type ChildEvent, type Envelope, MAX_RECORD_BYTES, type OwnerEvent, RECORD_VERSION } from './events.ts';

/**
 * One record as a line with its newline. Throws RangeError when it would be longer than 4,096 bytes: a reader would
 * refuse the attempt for it, so it must not be sent.
 */
export function encodeRecord(envelope: Envelope, event: ChildEvent | OwnerEvent): string {
  const { launcher, attempt, pid } = envelope;
  const line = `${JSON.stringify({ version: RECORD_VERSION, launcher, attempt, pid, ...event })}\n`;
  const bytes = Buffer.byteLength(line);
  if (bytes > MAX_RECORD_BYTES) {
    throw new RangeError(`a ${event.event} record may be ${MAX_RECORD_BYTES} bytes long, this one is ${bytes}`);
  }
  return line;
}
