/**
 * The code index: what a tree contains and how its parts depend on each other, for readers that may not guess.
 *
 * discover/  the files of a tree: which are read, as what, and why others are not
 * record/    what one file says, as plain data
 * link/      edges from records: where specifiers and names lead
 * pipeline/  from what may have changed to a published generation
 * store/     segments on disk, published generations, the record packs, the writer lock
 * read/      lookups, walks over the edges and search, always from one generation
 * validate/  whether a published generation is whole
 */
export { IndexError, type IndexErrorCode, UnitNotFound } from './errors.ts';
export type { Edge, HeldFile, SourceInput, Span, Unit, UnitType, Via } from './model.ts';
export type { Indexer, IndexerOptions } from './pipeline/indexer.ts';
export { openIndexer } from './pipeline/open-indexer.ts';
export type { RunResult } from './pipeline/result.ts';
export {
  type GenerationInfo,
  type Hold,
  type IndexedFile,
  type IndexQueries,
  type IndexReader,
  type IndexStats,
  type LookupResult,
  type Match,
  openReader,
  type SearchField,
  type SearchHit,
  type SearchOptions,
  type SearchResult,
  type UnitDetail,
  type UnitSummary,
  type Walk,
  type WalkOptions,
} from './read/index.ts';
export {
  acquireWriterLock,
  ensureIndexDirectory,
  LockBusy,
  type LockHolder,
  type LockRequest,
  type Manifest,
  PublishError,
  type WriterLock,
} from './store/index.ts';
export { type Validation, validateIndex } from './validate/index.ts';
