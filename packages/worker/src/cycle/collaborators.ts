/** What the daemon works with; all of it injected, so that a test or an embedding host can bring its own. */
import type { RunResult } from '@woods/index';
import type { Pointer } from '@woods/protocol';
import type { Pending } from '../pending/pending.ts';
import type { Learned } from '../policy/classify.ts';
import type { Condition } from '../status/condition.ts';
import type { VerifyReason } from './plan.ts';

/** Does the work, one run at a time. Rejects with `RunFailed`. */
export interface Runner {
  update(paths: ReadonlySet<string>): Promise<RunResult>;
  verify(reason: VerifyReason): Promise<RunResult>;
}

export type RunFailure = 'extraction_failed' | 'publish_failed' | 'thread_died';

/** `cause` `thread_died`: what it held in memory is gone, so the next run has to verify the whole tree. */
export class RunFailed extends Error {
  override readonly name = 'RunFailed';
  override readonly cause: RunFailure;

  constructor(cause: RunFailure, message: string) {
    super(message);
    this.cause = cause;
  }
}

/** Of the index directory. Locking never waits long; `busy` says who works there. */
export interface WriterGate {
  lock(): Promise<{ kind: 'held'; release(): void } | { kind: 'busy'; message: string }>;
}

/** Restart-class files as they were when this process booted. */
export interface BootFiles {
  /** Those among `paths`, and among what was known below `directories`, that differ now. */
  changed(paths: ReadonlySet<string>, directories: ReadonlySet<string>): Promise<readonly string[]>;
  /** All captured files that differ now. */
  allChanged(): Promise<readonly string[]>;
}

export interface Collaborators {
  readonly runner: Runner;
  readonly gate: WriterGate;
  readonly bootFiles: BootFiles;
  readonly learned: Learned;
  readonly fullThreshold: number;
  /** The published pointer; null when there is none or it cannot be read. */
  pointer(): Pointer | null;
  /** Whether the index directory still carries our claim. */
  owned(): boolean;
  /** Keeps what is owed for the next process. */
  keep(pending: Pending): void;
  /** Called whenever the condition changed. */
  onCondition(condition: Condition): void;
  /** One line for a person. */
  say(line: string): void;
  /** Phases of a finished run, in ms; for WOODS_PROFILE. */
  onPhases(phases: readonly (readonly [string, number])[], totalMs: number): void;
  /** Monotonic, in ms. */
  now(): number;
}
