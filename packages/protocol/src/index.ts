/**
 * What crosses a process boundary: lifecycle records, status files, the pointer, exit codes, names of variables, and the
 * one rule for root and configuration. Loaded by every supervisor, so it holds little and starts nothing.
 *
 * names/     exit codes, variables, tokens, whether this run is managed
 * records/   lifecycle events: their shape, their order, one validator for both senders
 * channel/   the reader's side: bounded framing in front of the parser
 * reporter/  the child's side, over a descriptor or a socket
 * files/     files beside the index, atomic writes, bounded reads, who is alive
 * identity/  process identity: pid, start time, host, boot
 * config/    the root and the configuration
 * values/    kinds of values, and how to print them
 */
export { createFloodMeter, type FloodMeter, type FloodOptions } from './channel/flood-meter.ts';
export { openRecordReader, type ReaderOptions, type RecordHandlers } from './channel/record-reader.ts';
export { type FoundRoot, findRoot } from './config/find-root.ts';
export { configFingerprint } from './config/fingerprint.ts';
export type { ConfigKey } from './config/keys.ts';
export type { Project } from './config/kinds.ts';
export { type ConfigFlags, type ConfigOptions, loadConfig } from './config/load-config.ts';
export type { ResolvedConfig, Source } from './config/resolved-config.ts';
export { atomicWrite } from './files/atomic-write.ts';
export { type BoundedRead, type BoundedReadOptions, boundedRead } from './files/bounded-read.ts';
export { deadSupervisors } from './files/dead-supervisors.ts';
export {
  decodePointer,
  PayloadError,
  type Pointer,
  pointerPath,
  readPointer,
  resolvePayload,
  writePointer,
} from './files/pointer.ts';
export type { Read } from './files/read-json.ts';
export { readSupervisors, type SupervisorRecord, type SupervisorsRead } from './files/read-supervisors.ts';
export { decodeSupervisorStatus, type SupervisionState, type SupervisorStatus } from './files/supervisor-status.ts';
export { type Liveness, type LivenessView, type WatchLivenessView, watchLiveness } from './files/watch-liveness.ts';
export {
  decodeWatchStatus,
  readWatchStatus,
  type WatchStatus,
  watchStatusPath,
  writeWatchStatus,
} from './files/watch-status.ts';
export { sweepSupervisorFiles, writeSupervisorStatus } from './files/write-supervisor.ts';
export {
  type ProcessProbe,
  probeProcess,
  processStart,
  type SelfIdentity,
  selfIdentity,
} from './identity/process-probe.ts';
export { hasEnded, type ProcessStat, readProcessStat } from './identity/process-stat.ts';
export { EXIT, signalExitCode } from './names/exit-codes.ts';
export { type Channel, MAX_SOCKET_PATH_BYTES, type RunMode, readRunMode, refuseIdleTimeout } from './names/run-mode.ts';
export { UsageError } from './names/usage-error.ts';
export { type Environment, newToken, OUTER_ATTEMPT_PREFIX, readVariable, VARIABLE } from './names/variables.ts';
export { encodeRecord } from './records/encode.ts';
export type { ChildEvent, Envelope, OwnerEvent, StartupReason, TerminalReason } from './records/events.ts';
export type { Stage } from './records/stages.ts';
export { createRecordValidator, type RecordValidator, type ValidatorOptions } from './records/validator.ts';
export type { Refusal, Verdict } from './records/verdict.ts';
export { openReporter, type Reporter, type ReporterOptions } from './reporter/reporter.ts';
export { errnoOf } from './values/errors.ts';
export { isObject, type JsonObject, type JsonValue, parseObject } from './values/json.ts';
export { parseObjectWithComments } from './values/json-with-comments.ts';
export { printable, quote } from './values/quote.ts';
