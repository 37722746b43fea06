import { type Look, type LookOptions, lookAt } from '../discover/look.ts';
import { isTsconfig } from '../discover/settings.ts';
import type { Survey } from '../discover/survey.ts';
import type { SourceInput } from '../model.ts';
import type { FileRecord } from '../record/file-record.ts';
import { TOO_DEEP } from '../record/recorder.ts';
import type { Batch, Change } from './batch.ts';
import { holdOf } from './hold.ts';
import type { Phases } from './phases.ts';
import type { Records } from './records.ts';
import type { State } from './state.ts';

export interface IntakeTools {
  readonly look: LookOptions;
  readonly records: Records;
  readonly phases: Phases;
  /** Called after each file that was looked at. */
  readonly onProgress: ((done: number, total: number) => void) | undefined;
  /** The record of a published file. */
  readonly recordBefore: (path: string) => Promise<FileRecord | null>;
}

type Present = Exclude<Look, { readonly kind: 'gone' }>;

/** Looks at what the survey found and records what differs from the published contents. */
export async function takeIn(tools: IntakeTools, state: State, { seen, removed }: Survey): Promise<Batch> {
  const batch: Batch = {
    changed: new Map(),
    removed: new Set(),
    quiet: new Map(),
    held: new Map(state.held),
    settingsChanged: state.linksChanged,
  };
  for (const path of removed) takeRemoval(batch, state, path);
  for (const [at, sighting] of seen.entries()) {
    tools.phases.enter('read');
    const look = lookAt(sighting, tools.look);
    if (look.kind === 'gone') takeRemoval(batch, state, sighting.path);
    else if (!takeKnown(batch, state, look)) await takeChange(tools, batch, state, look);
    tools.onProgress?.(at + 1, seen.length);
  }
  return batch;
}

function takeRemoval(batch: Batch, state: State, path: string): void {
  const before = state.inputs.get(path);
  if (before === undefined) return;
  batch.held.delete(path);
  const settles = settling(state, before);
  if (before.skipped !== null && settles !== 'surely') batch.quiet.set(path, null);
  else batch.removed.add(path);
  if (settles !== 'no') batch.settingsChanged = true;
}

/** Contents that were there before, or that have no units before or after; false when there is something to record. */
function takeKnown(batch: Batch, state: State, look: Present): boolean {
  const { path } = look.input;
  const before = state.inputs.get(path);
  if (before !== undefined && sameContents(before, look.input)) {
    batch.held.delete(path);
    batch.quiet.set(path, { ...look.input, skipped: before.skipped });
    return true;
  }
  const held = batch.held.get(path);
  if (held?.seen && sameContents(held.seen, look.input)) {
    batch.held.set(path, { ...held, seen: look.input });
    return true;
  }
  const wasEmpty = before === undefined || before.skipped !== null;
  const settles = settling(state, look.input);
  if (look.kind !== 'skipped' || !wasEmpty || settles === 'surely') return false;
  if (settles === 'perhaps') batch.settingsChanged = true;
  batch.quiet.set(path, look.input);
  return true;
}

async function takeChange(tools: IntakeTools, batch: Batch, state: State, look: Present): Promise<void> {
  const { path } = look.input;
  tools.phases.enter('record');
  const change = await record(tools.records, look);
  const isBroken = change.record !== null && change.record.errors.length > 0;
  const settles = settling(state, look.input) === 'surely';
  const before = isBroken || settles ? await tools.recordBefore(path) : null;
  const hold = holdOf(change, before, state.held.get(path)?.file ?? null);
  if (hold !== null) {
    batch.held.set(path, hold);
    return;
  }
  batch.held.delete(path);
  batch.changed.set(path, change);
  if (settles && (change.record === null || change.record.shape !== before?.shape)) batch.settingsChanged = true;
}

async function record(records: Records, look: Present): Promise<Change> {
  const { input } = look;
  if (look.kind === 'skipped' || input.hash === null) return { input, record: null, text: null };
  const text = look.bytes.toString('utf8');
  const bytes = look.bytes.length;
  const recorded = await records.recordOf({ hash: input.hash, language: look.language, text, bytes });
  if ('skipped' in recorded) return { input: { ...input, skipped: recorded.skipped }, record: null, text: null };
  return { input, record: recorded.record, text };
}

/** `now` is as it was looked at: whether it can be parsed is known of `before` alone. */
function sameContents(before: SourceInput, now: SourceInput): boolean {
  const sameSkip = before.skipped === now.skipped || (before.skipped === TOO_DEEP && now.skipped === null);
  return before.hash === now.hash && before.language === now.language && sameSkip;
}

/** Whether a file decides where specifiers lead. Without a linker nobody knows yet which JSON files a tsconfig extends. */
function settling({ linker }: State, { path, language, hash, skipped }: SourceInput): 'surely' | 'perhaps' | 'no' {
  if (language === 'package' || isTsconfig(path)) return 'surely';
  if (skipped === null || hash === null) return 'no';
  if (linker === null) return 'perhaps';
  return linker.reliesOn(path) ? 'surely' : 'no';
}
