/**
 * The watch worker: keeps the index of one tree current while it runs, or says why it is not.
 *
 * - `policy/`  what a changed path asks for: one table
 * - `pending/` what is owed, and survives the process
 * - `cycle/`   change → class → run → publish → condition, with every collaborator injected
 * - `thread/`  the thread in which the index is made, so that this process always answers
 * - `claim/`   one worker an index
 * - `boot/`    what the process captures of the tree before it loads anything from it
 * - `status/`  what others are told: status file and lifecycle record
 * - `run/`     the life of a worker from its options to its exit code
 */
export { type Recovery, recoverClaim } from './claim/claim.ts';
export type { CycleResult } from './cycle/daemon.ts';
export { type EmbeddedDaemon, openDaemon } from './run/embed.ts';
export type { BackendChoice, WorkerOptions } from './run/options.ts';
export { surviveClosedStderr } from './run/say.ts';
export { runWorker } from './run/worker.ts';
export type { Condition, Trouble, TroubleReason } from './status/condition.ts';
