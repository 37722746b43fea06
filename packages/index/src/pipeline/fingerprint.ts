import { hash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { LINKER_VERSION } from '../link/version.ts';
import { EXTRACTOR_VERSION } from '../record/version.ts';

/** Files that package managers write when they have installed: what specifiers lead to may differ from then on. */
const INSTALLED = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml', '.yarn-integrity'];

/**
 * What a generation depends on besides the files of the tree. With another `records` part every file is recorded again;
 * with another `links` part only the edges are found again.
 */
export interface Fingerprint {
  readonly records: string;
  readonly links: string;
}

const SEPARATOR = '-';

/** `config` is the fingerprint of the configuration; `root` is absolute. */
export function fingerprintOf(root: string, config: string): Fingerprint {
  const installed = INSTALLED.map((name) => {
    const stat = lstatSync(`${root}/node_modules/${name}`, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.size}:${stat.mtimeNs}`;
  });
  return {
    records: `${config}${SEPARATOR}${EXTRACTOR_VERSION}`,
    links: hash('sha256', JSON.stringify([LINKER_VERSION, ...installed])).slice(0, 16),
  };
}

export function formatFingerprint({ records, links }: Fingerprint): string {
  return `${records}${SEPARATOR}${links}`;
}

/** What of a published generation still holds. */
export function compareFingerprints(published: string, current: Fingerprint): 'same' | 'other links' | 'other records' {
  if (published === formatFingerprint(current)) return 'same';
  return published.startsWith(`${current.records}${SEPARATOR}`) ? 'other links' : 'other records';
}
