import type { Survey } from '../discover/survey.ts';
import type { SourceInput } from '../model.ts';
import type { FileRecord } from '../record/file-record.ts';
import type { Batch } from './batch.ts';
import { type GitLook, sameCommit } from './git-look.ts';
import { sameHeld } from './hold.ts';
import { type IntakeTools, takeIn } from './intake.ts';
import type { Phases } from './phases.ts';
import { type PublishTools, publish, stateUnchanged } from './publish.ts';
import { linkPublished, relink } from './relink.ts';
import type { RunResult } from './result.ts';
import type { State } from './state.ts';
import { saveTouched } from './touched.ts';

export interface RunTools extends PublishTools, Pick<IntakeTools, 'look' | 'records'> {
  readonly git: GitLook;
}

export interface RunRequest {
  readonly state: State;
  readonly survey: Survey;
  readonly reason: string;
  /** Whether git is asked what the tree is at, or only whether that may have changed. */
  readonly git: 'ask' | 'glance';
  readonly phases: Phases;
  readonly lock: { touch(): void } | undefined;
  readonly onProgress: IntakeTools['onProgress'];
}

/** One run: from what may differ to a published generation, or to the finding that nothing does. */
export async function runOver(
  tools: RunTools,
  request: RunRequest,
): Promise<{ state: State; result: Omit<RunResult, 'reload' | 'phases' | 'durationMs'> }> {
  const { state, phases, lock, onProgress } = request;
  const recordBefore = recordsOfState(tools, state);
  const batch = await takeIn({ ...tools, phases, onProgress, recordBefore }, state, request.survey);
  lock?.touch();
  phases.enter('link');
  const linked = needsLinking(state, batch) ? await relink({ root: tools.root, recordBefore }, state, batch) : null;
  tools.records.flush();
  phases.enter('git');
  const differs = batch.changed.size > 0 || batch.removed.size > 0 || (linked?.relinked.length ?? 0) > 0;
  const git = request.git === 'ask' ? tools.git.now() : tools.git.afterRun(differs ? 'changed' : 'unchanged');
  phases.enter('publish');
  const isNews = differs || state.published === null || state.linksChanged || !sameCommit(git, state.git);
  if (!isNews && sameHeld(batch.held, state.held)) {
    const next = stateUnchanged({ ...state, linker: linked?.linker ?? state.linker }, batch);
    rememberTouched(tools, next, batch);
    return { state: next, result: resultOf(next, batch, 'unchanged') };
  }
  const next = await publish(tools, state, { batch, linked, git, reason: request.reason, lock });
  return { state: next, result: resultOf(next, batch, 'published') };
}

/** Has at hand what the first change would otherwise wait for: the parser, and all edges. */
export async function prepareState(tools: RunTools, state: State): Promise<State> {
  if (state.published === null || state.linksChanged) return state;
  await tools.records.prepare();
  if (state.linker !== null) return state;
  const linker = await linkPublished({ root: tools.root, recordBefore: recordsOfState(tools, state) }, state);
  return { ...state, linker };
}

/** Records of published files, from the linker when it is there. */
function recordsOfState({ records }: RunTools, state: State): (path: string) => Promise<FileRecord | null> {
  return async (path) => {
    const known = state.linker?.recordOf(path) ?? null;
    const input = state.inputs.get(path);
    if (known !== null || input === undefined) return known;
    return records.recordOfInput(input, () => state.published?.blockOf(path)?.source ?? null);
  };
}

function needsLinking(state: State, batch: Batch): boolean {
  return state.published === null || batch.settingsChanged || batch.changed.size > 0 || batch.removed.size > 0;
}

/** Only files that would have to be read again are worth remembering. */
function rememberTouched({ indexDir }: RunTools, { published, unpublished }: State, { quiet }: Batch): void {
  if (published === null || readFiles(quiet).length === 0) return;
  saveTouched(indexDir, published.pointer, readFiles(unpublished));
}

function readFiles(inputs: ReadonlyMap<string, SourceInput | null>): SourceInput[] {
  return [...inputs.values()].flatMap((input) => (input === null || input.hash === null ? [] : [input]));
}

function resultOf({ published, totals, held }: State, { changed, removed }: Batch, outcome: RunResult['outcome']) {
  return {
    outcome,
    pointer: published?.pointer ?? null,
    files: totals.files - totals.skipped,
    units: totals.units,
    edges: totals.edges,
    changed: [...changed.values()].filter(({ input }) => input.language !== null).length,
    removed: removed.size,
    held: [...held.values()].map(({ file }) => file),
    skipped: totals.skipped,
  };
}
