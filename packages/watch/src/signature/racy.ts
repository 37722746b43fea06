import type { FileStamp } from '../scan/stamp.ts';

/** When stamps were taken: wall clock, nanoseconds since 1970. */
export interface Period {
  readonly startedNs: bigint;
  readonly endedNs: bigint;
}

type Stamp = Pick<FileStamp, 'mtimeNs' | 'ctimeNs' | 'dev'>;

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
 * Tells which files can have been written after their stamp was taken without a change in the stamp: those whose times lie
 * within one step of the clock of when they were looked at. Times further in the future are not this clock's, and a write
 * would move them.
 */
export function racyDuring(taken: Period, grainOf: (dev: bigint) => bigint): (file: Stamp) => boolean {
  const windows = new Map<bigint, Window>();
  return ({ mtimeNs, ctimeNs, dev }) => {
    const { from, to } = windows.get(dev) ?? remember(windows, dev, windowOf(taken, grainOf(dev)));
    return (mtimeNs >= from && mtimeNs <= to) || (ctimeNs >= from && ctimeNs <= to);
  };
}

interface Window {
  readonly from: bigint;
  readonly to: bigint;
}

/** The clock may have been set back between the two ends. */
function windowOf({ startedNs, endedNs }: Period, grainNs: bigint): Window {
  const [first, last] = startedNs <= endedNs ? [startedNs, endedNs] : [endedNs, startedNs];
  return { from: first - grainNs, to: last + grainNs };
}

function remember(windows: Map<bigint, Window>, dev: bigint, window: Window): Window {
  windows.set(dev, window);
  return window;
}
