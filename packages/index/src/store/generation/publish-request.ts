import type { Pointer } from '@woods/protocol';
import type { FileBlock, HeldFile } from '../../model.ts';
import type { GitState } from './manifest.ts';
import type { SegmentCache } from './segment-cache.ts';

export interface PublishRequest {
  readonly indexDir: string;
  /** New, changed and re-linked files; all files when there is no generation to build on. */
  readonly blocks: readonly FileBlock[];
  /** Paths that are gone. */
  readonly removed: readonly string[];
  readonly manifest: {
    readonly reason: string;
    readonly root: string;
    readonly configFingerprint: string;
    readonly git: GitState | null;
    readonly held: readonly HeldFile[];
  };
  /** Generations to keep, the new one included. */
  readonly retention: number;
  /**
   * The generation that this is a change of; null: `blocks` are everything. When it is left out, a generation that can
   * be opened is changed and one that cannot is replaced: right for a caller that loaded it just before.
   */
  readonly previous?: Pointer | null;
  /** Saves reading the segments again that this process has in memory. */
  readonly cache?: SegmentCache;
  /** Touched just before the pointer moves; throws when the lock was lost, and nothing is published then. */
  readonly lock?: { touch(): void };
}
