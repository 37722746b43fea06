/** Larger ones are data. */
const MAX_SETTINGS_BYTES = 64 * 1024;

/** Where TypeScript looks by itself. */
export function isTsconfig(path: string): boolean {
  return /(?:^|\/)[jt]sconfig[^/]*\.json$/.test(path);
}

/**
 * Files without units that may decide where specifiers lead: a tsconfig can extend any JSON file. They are read for
 * their hash alone, to see them change.
 */
export function maySettle(path: string, bytes: number): boolean {
  return path.endsWith('.json') && bytes <= MAX_SETTINGS_BYTES;
}
