import { readFileSync } from 'node:fs';

/** The version of this package, as lifecycle records and manifests carry it. */
export function woodsVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { version: string }; // our own file
  return version;
}
