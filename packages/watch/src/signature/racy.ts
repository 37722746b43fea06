import type { FileStamp } from '../scan/stamp.ts';

/** When stamps were taken: wall clock, nanoseconds since 1970. */
export interface Period {
  readonly startedNs: bigint;
  readonly endedNs: bigint;
}

type Stamp = Pick<FileStamp, 'mtimeNs' | 'ctimeNs'>;

const SECOND = 1_000_000_000n;
/** FAT keeps times to two seconds. */
const COARSE = 2n * SECOND;
/** Linux takes stamps from a clock that moves once a tick, 4 ms or 10 ms. */
const FINE = 10_000_000n;

/**
 * The coarsest step of the clock that stamped these files, by device. Two seconds until a change time with a fraction of a
 * second is seen there: no program can set that one, so it is the file system's own.
 */
export function clockGrains(files: readonly Pick<FileStamp, 'ctimeNs' | 'dev'>[]): (dev: bigint) => bigint {
  const fine = new Set<bigint>();
  for (const { ctimeNs, dev } of files) if (!fine.has(dev) && ctimeNs % SECOND !== 0n) fine.add(dev);
  return (dev) => (fine.has(dev) ? FINE : COARSE);
}

/**
 * Whether a file can have been written after its stamp was taken without a change in the stamp: its times lie within one
 * step of the clock of when it was looked at. Times further in the future are not this clock's, and a write would move them.
 */
export function isRacy(stamp: Stamp, taken: Period, grainNs: bigint): boolean {
  const from = smaller(taken.startedNs, taken.endedNs) - grainNs;
  const to = larger(taken.startedNs, taken.endedNs) + grainNs;
  return within(stamp.mtimeNs, from, to) || within(stamp.ctimeNs, from, to);
}

function within(value: bigint, from: bigint, to: bigint): boolean {
  return value >= from && value <= to;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
