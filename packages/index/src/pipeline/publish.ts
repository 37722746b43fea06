import type { FileBlock, SourceInput } from '../model.ts';
import { type GitState, loadPublished, publishGeneration, type SegmentCache } from '../store/index.ts';
import type { Batch } from './batch.ts';
import { blockOf, emptyBlock } from './blocks.ts';
import { formatFingerprint } from './fingerprint.ts';
import type { Linked } from './relink.ts';
import { emptyState, type State } from './state.ts';

export interface PublishTools {
  readonly root: string;
  readonly indexDir: string;
  readonly retention: number;
  readonly cache: SegmentCache;
}

interface Publishing {
  readonly batch: Batch;
  readonly linked: Linked | null;
  readonly git: GitState | null;
  readonly reason: string;
  readonly lock: { touch(): void } | undefined;
}

/** Publishes what the batch changes in the state, and returns the state of the new generation. */
export async function publish(tools: PublishTools, state: State, publishing: Publishing): Promise<State> {
  const { batch, linked, git, reason, lock } = publishing;
  const quiet = new Map([...state.unpublished, ...batch.quiet]);
  for (const path of [...batch.changed.keys(), ...batch.removed]) quiet.delete(path);
  const blocks = [
    ...changedBlocks(batch, linked),
    ...relinkedBlocks(state, quiet, linked),
    ...quietBlocks(state, quiet, linked),
  ];
  const gone = [...quiet].filter(([, input]) => input === null).map(([path]) => path);
  await publishGeneration({
    indexDir: tools.indexDir,
    blocks,
    removed: [...batch.removed, ...gone],
    manifest: {
      reason,
      root: tools.root,
      configFingerprint: formatFingerprint(state.fingerprint),
      git,
      held: [...batch.held.values()].map(({ file }) => file).sort((one, other) => (one.path < other.path ? -1 : 1)),
    },
    retention: tools.retention,
    previous: state.published?.pointer ?? null,
    cache: tools.cache,
    ...(lock !== undefined && { lock }),
  });
  return stateAfter(tools, state, publishing);
}

function changedBlocks({ changed }: Batch, linked: Linked | null): FileBlock[] {
  return [...changed.values()].map(({ input, record, text }) =>
    record === null ? emptyBlock(input) : blockOf(input, record, linked?.linker.edgesOf(input.path) ?? [], text),
  );
}

function relinkedBlocks(state: State, quiet: ReadonlyMap<string, SourceInput | null>, linked: Linked | null) {
  return (linked?.relinked ?? []).flatMap((path): FileBlock[] => {
    const record = linked?.linker.recordOf(path) ?? null;
    const before = state.published?.blockOf(path) ?? null;
    if (linked === null || record === null || before === null) return [];
    return [blockOf(quiet.get(path) ?? before.input, record, linked.linker.edgesOf(path), before.source)];
  });
}

/** Files that were only touched keep what was published of them. */
function quietBlocks(state: State, quiet: ReadonlyMap<string, SourceInput | null>, linked: Linked | null): FileBlock[] {
  const relinked = new Set(linked?.relinked);
  return [...quiet].flatMap(([path, input]): FileBlock[] => {
    if (input === null || relinked.has(path)) return [];
    const before = input.skipped === null ? (state.published?.blockOf(path) ?? null) : null;
    return [before === null ? emptyBlock(input) : { ...before, input }];
  });
}

/** Everything that grows with the index is carried over; only the new segment is read. */
function stateAfter(tools: PublishTools, state: State, { batch, linked, git }: Publishing): State {
  const published = loadPublished(tools.indexDir, tools.cache);
  if (published.kind === 'none') return emptyState(state.fingerprint);
  applyTo(state.inputs, batch);
  return {
    fingerprint: state.fingerprint,
    published,
    inputs: state.inputs,
    unpublished: new Map(),
    held: batch.held,
    git,
    totals: published.manifest.totals,
    linksChanged: false,
    linker: linked?.linker ?? state.linker,
  };
}

/** The state of a run that published nothing: what it saw is kept for the next publish to take along. */
export function stateUnchanged(state: State, batch: Batch): State {
  applyTo(state.inputs, batch);
  return { ...state, held: batch.held, unpublished: new Map([...state.unpublished, ...batch.quiet]) };
}

function applyTo(inputs: Map<string, SourceInput>, { changed, removed, quiet }: Batch): void {
  for (const path of removed) inputs.delete(path);
  for (const [path, { input }] of changed) inputs.set(path, input);
  for (const [path, input] of quiet) {
    if (input === null) inputs.delete(path);
    else inputs.set(path, input);
  }
}
