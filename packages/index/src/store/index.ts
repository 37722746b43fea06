/** The store: segments, published generations, the record packs and the writer lock. */
export { ensureIndexDirectory } from './generation/directory.ts';
export type { GitState, Manifest, SegmentEntry, Totals } from './generation/manifest.ts';
export { mergeIfNeeded } from './generation/merge.ts';
export { PublishError, type PublishRequest, type PublishResult, publishGeneration } from './generation/publish.ts';
export { loadPublished, type Published, type PublishedIndex } from './generation/published.ts';
export { createSegmentCache, type SegmentCache } from './generation/segment-cache.ts';
export { acquireWriterLock, LockBusy, type LockHolder, type LockRequest, type WriterLock } from './lock/writer-lock.ts';
export { openPack, type Pack } from './packs/pack.ts';
