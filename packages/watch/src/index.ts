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
export {
  type Availability,
  type Backend,
  BackendFailure,
  type BackendName,
} from './backend/backend.ts';
export { type Batch, type BatchReason, emptyBatch, isEmptyBatch, mergeBatches } from './backend/batch.ts';
export { type BackendOptions, type ChosenBackend, createBackend } from './backend/create.ts';
export { decodePath, displayPath, encodePath } from './bytes/path.ts';
export { type FoundRepository, findRepository, gitFile, type Repository } from './git/repository.ts';
export { type GitFailure, type GitOptions, type GitResult, runGit } from './git/run.ts';
export { type IgnoreRules, openIgnore, type TreeOptions } from './ignore/rules.ts';
export { RootUnreadable, ScanStopped } from './scan/errors.ts';
export type { FileKind, FileStamp } from './scan/stamp.ts';
export { type ScanOptions, scanTree, type TreeScan } from './scan/tree.ts';
export { openSettler, type SettleFacts, type Settler, type SettlerOptions } from './settle/settler.ts';
export { type Comparison, compareStamps, type KnownStamp } from './signature/compare.ts';
export type { Period } from './signature/racy.ts';
