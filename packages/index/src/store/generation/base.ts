import { IndexError } from '../../errors.ts';
import { currentPointer, type Generation, openGeneration } from './load.ts';
import type { PublishRequest } from './publish-request.ts';
import type { SegmentCache } from './segment-cache.ts';

/**
 * The generation that a publish builds on; null when its blocks are everything. Throws IndexError: `stale_index` when
 * another is current, `corrupt_artifact` when the one that was named cannot be opened any more.
 */
export function openBase({ indexDir, previous }: PublishRequest, cache: SegmentCache): Generation | null {
  if (previous === null) return null;
  if (previous === undefined) return openOrNull(indexDir, cache);
  const pointer = currentPointer(indexDir);
  if (pointer.number !== previous.number || pointer.token !== previous.token) {
    throw new IndexError(
      'stale_index',
      `expected generation ${previous.number} to be current, found ${pointer.number}: another writer published; run again`,
    );
  }
  return openGeneration(indexDir, pointer, cache);
}

function openOrNull(indexDir: string, cache: SegmentCache): Generation | null {
  try {
    return openGeneration(indexDir, currentPointer(indexDir), cache);
  } catch (error) {
    if (error instanceof IndexError) return null;
    throw error;
  }
}
