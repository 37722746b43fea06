/** Counts records against a rate; shared between channels when one child has several. */
export interface FloodMeter {
  /** False when this record is one too many. */
  admit(): boolean;
  readonly limit: string;
}

export interface FloodOptions {
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  readonly maxRecords?: number;
  readonly windowMs?: number;
}

/** Refuses more than `maxRecords` (1,000) within any window of `windowMs` (10 s). */
export function createFloodMeter(options: FloodOptions = {}): FloodMeter {
  const { now = () => performance.now(), maxRecords = 1000, windowMs = 10_000 } = options;
  const times: number[] = [];
  let next = 0;

  function admit(): boolean {
    const time = now();
    const oldest = times[next];
    if (oldest !== undefined && time - oldest < windowMs) return false;
    times[next] = time;
    next = (next + 1) % maxRecords;
    return true;
  }

  return { admit, limit: `${maxRecords} records in ${windowMs / 1000} s` };
}
