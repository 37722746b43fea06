/** Medians and the lines in which a bench prints them. */

export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

export const median = (values) => quantile(values, 0.5);

export function figure(name, value, bar) {
  process.stdout.write(`  ${name}: ${value}${bar === undefined ? '' : `   (bar: ${bar})`}\n`);
}

export const ms = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
export const mb = (kib) => `${(kib / 1024).toFixed(1)} MB`;
