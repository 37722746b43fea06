/** The index directory, made or found usable, before anything is written into it. */
import { accessSync, constants } from 'node:fs';
import { ensureIndexDirectory } from '@woods/index';
import { UsageError } from '@woods/protocol';

/** Throws UsageError when it cannot be made, is something else, or may not be written to. */
export function prepareIndexDirectory(indexDir: string): void {
  ensureIndexDirectory(indexDir);
  try {
    accessSync(indexDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `the index directory ${indexDir} must be writable, found: ${found}; make it writable for this user, or choose another with --output`,
    );
  }
}
