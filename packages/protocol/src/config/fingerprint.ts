import { createHash } from 'node:crypto';
import type { ResolvedConfig } from './resolved-config.ts';

/** 16 hex digits over the settings that decide which files have records and what is in them, and over nothing else. */
export function configFingerprint(config: ResolvedConfig): string {
  const { include, exclude, languages, maxFileBytes } = config;
  const text = JSON.stringify([include, exclude, languages, maxFileBytes]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
