import type { SourceInput } from '../model.ts';
import type { FileRecord } from '../record/file-record.ts';
import type { Held } from './state.ts';

/** A file with contents that are not the published ones. Without a record it has no units. */
export interface Change {
  readonly input: SourceInput;
  readonly record: FileRecord | null;
  readonly text: string | null;
}

/** What a run has found out about the tree; nothing has been taken over yet. */
export interface Batch {
  readonly changed: Map<string, Change>;
  readonly removed: Set<string>;
  /** Nothing that a reader asks for has changed, only what is remembered of the file; null: gone. */
  readonly quiet: Map<string, SourceInput | null>;
  /** All held files as of now. */
  readonly held: Map<string, Held>;
  /** Whether something changed that decides where specifiers lead. */
  settingsChanged: boolean;
}
