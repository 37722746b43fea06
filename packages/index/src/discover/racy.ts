import type { SourceInput } from '../model.ts';

const SECOND_NS = 1_000_000_000n;

/** Steps of the clocks that stamp files: FAT's two seconds, unless a fraction of a second shows a finer one. */
const COARSE_NS = 2n * SECOND_NS;
const FINE_NS = 10_000_000n;

/** A change time that no file has: the next comparison finds a difference and reads the file again. */
const NEVER_NS = 0n;

/**
 * A file that was written a moment before it was read can be written again without a change in its stamp. What is
 * remembered of such a file is made to differ from any stamp, as git does with its index; contents decide then.
 *
 * @param readNs wall clock before the file was opened, nanoseconds since 1970
 */
export function distrustIfRacy(input: SourceInput, readNs: bigint): SourceInput {
  const grain = input.ctimeNs % SECOND_NS === 0n ? COARSE_NS : FINE_NS;
  const from = readNs - grain;
  return input.mtimeNs >= from || input.ctimeNs >= from ? distrust(input) : input;
}

export function distrust(input: SourceInput): SourceInput {
  return { ...input, ctimeNs: NEVER_NS };
}

export function wallClockNs(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}
