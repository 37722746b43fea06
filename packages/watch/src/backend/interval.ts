/** A scan may take one twentieth of a core. */
const SHARE = 20;
/** A missing root is one stat. */
const SUSPENDED_MS = 1_000;

/** Milliseconds to wait after a scan that took `scanMs`. */
export function pollDelay(options: {
  readonly intervalMs: number;
  readonly scanMs: number;
  readonly root: 'present' | 'missing';
}): number {
  const { intervalMs, scanMs, root } = options;
  return root === 'missing' ? Math.min(intervalMs, SUSPENDED_MS) : Math.max(intervalMs, SHARE * scanMs);
}
