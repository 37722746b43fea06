/**
 * The phases of a run as one line, times in ms. What no phase accounts for is named `rest`, so that the parts add up to the
 * total, also after rounding.
 */
export function profileLine(phases: readonly (readonly [name: string, ms: number])[], totalMs: number): string {
  const tenths = (ms: number): number => Math.round(ms * 10);
  const parts = phases.map(([name, ms]) => [name, tenths(ms)] as const);
  const rest = tenths(totalMs) - parts.reduce((sum, [, time]) => sum + time, 0);
  const named = [...parts, ['rest', rest] as const].map(([name, time]) => `${name} ${(time / 10).toFixed(1)}`);
  return `profile: ${named.join(' + ')} = ${(tenths(totalMs) / 10).toFixed(1)} ms`;
}
