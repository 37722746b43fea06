import { readFileSync } from 'node:fs';

/** The version of this package. */
export function woodsVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  // Our own file: its shape is known.
  const { version } = JSON.parse(text) as { version: string };
  return version;
}
