/**
 * How changes in a tree are seen. Events are hints; a scan is the truth.
 *
 * - `backend/`   what tells that paths changed: the interface, polling in a thread of its own
 * - `scan/`      one cheap walk of the tree
 * - `signature/` which stamps differ, and which prove nothing
 * - `ignore/`    what belongs to the tree, by git's rules and ours
 * - `settle/`    waiting until a burst of changes is over
 * - `git/`       the one way in which this project runs git
 * - `bytes/`     names as the system has them
 */
export { type Backend, BackendFailure, type BackendName } from './backend/backend.ts';
export { type Batch, emptyBatch, isEmptyBatch } from './backend/batch.ts';
export { createBackend } from './backend/create.ts';
export { decodePath, displayPath, encodePath } from './bytes/path.ts';
export { fileSystemOf } from './file-system.ts';
export { findRepository, type Repository } from './git/repository.ts';
export { runGit } from './git/run.ts';
export { type IgnoreRules, openIgnore, type TreeOptions } from './ignore/rules.ts';
export { RootUnreadable } from './scan/errors.ts';
export type { FileStamp } from './scan/stamp.ts';
export { scanTree } from './scan/tree.ts';
export { openSettler, type Settler } from './settle/settler.ts';
export { compareStamps } from './signature/compare.ts';
