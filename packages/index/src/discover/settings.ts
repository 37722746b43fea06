/** Files without units that decide where specifiers lead. They are read for their hash alone, to see them change. */
export function isResolverSettings(path: string): boolean {
  return /(?:^|\/)[jt]sconfig[^/]*\.json$/.test(path);
}
