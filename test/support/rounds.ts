/** How often a randomised test repeats: a bounded number in CI, many more under `npm run soak`. */
export function rounds(counts: { ci: number; soak: number }): number {
  return process.env.WOODS_SOAK === '1' ? counts.soak : counts.ci;
}
