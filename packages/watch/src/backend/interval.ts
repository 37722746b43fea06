/** A scan may take one twentieth of a core. */
const SHARE = 20;
/** A missing root is one stat. */
const SUSPENDED_MS = 1_000;

/**
 * Milliseconds to wait after a scan that took `scanMs`. The first one loads code and fills caches, so its time says nothing
 * of the next: a save right after the start would wait for twenty times a cold scan.
 */
export function pollDelay(options: {
  readonly intervalMs: number;
  readonly scanMs: number;
  readonly scan: 'first' | 'later';
  readonly root: 'present' | 'missing';
}): number {
  const { intervalMs, scanMs, scan, root } = options;
  if (root === 'missing') return Math.min(intervalMs, SUSPENDED_MS);
  return scan === 'first' ? Math.max(intervalMs, scanMs) : Math.max(intervalMs, SHARE * scanMs);
}
