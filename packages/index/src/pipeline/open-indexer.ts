import type { Indexer, IndexerOptions } from './indexer.ts';

/**
 * Opens the indexer of a tree; see `openIndexer` in indexer.ts, which says what it throws. All that only writers need is
 * loaded here and not with the package: a reader is there in half the time without it.
 */
export async function openIndexer(options: IndexerOptions): Promise<Indexer> {
  const indexer = await import('./indexer.ts');
  return indexer.openIndexer(options);
}
