/** The store: segments, published generations, the record packs and the writer lock. */
export { ensureIndexDirectory } from './generation/directory.ts';
export type { GitState, Manifest, Totals } from './generation/manifest.ts';
export { mergeIfNeeded } from './generation/merge.ts';
export { mergeWhenFree } from './generation/merge-when-free.ts';
export { publishGeneration } from './generation/publish.ts';
export { PublishError } from './generation/publish-error.ts';
export { loadPublished, type PublishedIndex } from './generation/published.ts';
export { createSegmentCache, type SegmentCache } from './generation/segment-cache.ts';
export { acquireWriterLock, LockBusy, type LockHolder, type LockRequest, type WriterLock } from './lock/writer-lock.ts';
export { openPack } from './packs/pack.ts';
