import type { HeldFile } from '../model.ts';
import type { FileRecord } from '../record/file-record.ts';
import type { Change } from './batch.ts';
import type { Held } from './state.ts';

/**
 * Whether a file keeps its published record for now: that one parsed, and what is on disk does not. A file that never
 * parsed is indexed with what the parser recovered. `since` is kept while it stays held.
 */
export function holdOf({ input, record }: Change, before: FileRecord | null, held: HeldFile | null): Held | null {
  const error = record?.errors[0];
  if (error === undefined || before === null || before.errors.length > 0) return null;
  const since = held?.since ?? new Date().toISOString();
  return { file: { path: input.path, line: error.line, reason: error.message, since }, seen: input };
}

/** Whether the manifest would say the same. */
export function sameHeld(one: ReadonlyMap<string, Held>, other: ReadonlyMap<string, Held>): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([path, { file }]) => {
    const now = other.get(path)?.file;
    return now !== undefined && now.line === file.line && now.reason === file.reason;
  });
}
