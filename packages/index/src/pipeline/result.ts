import type { Pointer } from '@woods/protocol';
import type { HeldFile } from '../model.ts';

/** What a run did. Counts are of the whole index after it, unless said otherwise. */
export interface RunResult {
  /** `unchanged`: the published generation stands as it was. */
  readonly outcome: 'published' | 'unchanged';
  /** The published generation; null when there is none yet. */
  readonly pointer: Pointer | null;
  /** Files with units. */
  readonly files: number;
  readonly units: number;
  readonly edges: number;
  /** Files that this run recorded. */
  readonly changed: number;
  /** Files that this run took out. */
  readonly removed: number;
  /** All held files. */
  readonly held: readonly HeldFile[];
  /** Files without units, each with its reason in the index. */
  readonly skipped: number;
  readonly durationMs: number;
  /** Milliseconds by phase; they add up to the duration. */
  readonly phases: [string, number][];
  /** `ignore_rules`: what belongs to the tree may have changed; whoever watches it has to look again. */
  readonly reload: 'none' | 'ignore_rules';
}
