import { IndexError } from '../errors.ts';
import { type Linker, openLinker } from '../link/linker.ts';
import type { Edge } from '../model.ts';
import type { FileRecord } from '../record/file-record.ts';
import type { Batch } from './batch.ts';
import type { State } from './state.ts';

export interface Linked {
  readonly linker: Linker;
  /** Files without a change of their own whose edges are not the published ones any more. */
  readonly relinked: readonly string[];
}

interface RelinkTools {
  readonly root: string;
  /** The record of a published file. */
  readonly recordBefore: (path: string) => Promise<FileRecord | null>;
}

/**
 * The edges after the batch. A linker that is at hand takes the changes in; without one, or when what specifiers lead to
 * may have changed, a new one links everything. The edges are the same either way.
 */
export async function relink(tools: RelinkTools, state: State, batch: Batch): Promise<Linked> {
  const records = new Map<string, FileRecord>();
  const gone = new Set(batch.removed);
  for (const [path, { record }] of batch.changed) {
    if (record === null) gone.add(path);
    else records.set(path, record);
  }
  const isUnchanged = (path: string) => !batch.changed.has(path);
  if (state.linker !== null && !batch.settingsChanged) {
    return { linker: state.linker, relinked: state.linker.update({ records, removed: gone }).filter(isUnchanged) };
  }
  for (const path of sourcesOf(state)) {
    if (!records.has(path) && !gone.has(path)) records.set(path, await publishedRecord(tools, path));
  }
  const linker = await openLinker(tools.root, records);
  const relinked = [...linker.paths()].filter(
    (path) => isUnchanged(path) && !sameEdges(linker.edgesOf(path), state.published?.edgesOf(path) ?? []),
  );
  return { linker, relinked };
}

/** A linker over the published records. */
export async function linkPublished(tools: RelinkTools, state: State): Promise<Linker> {
  const records: [string, FileRecord][] = [];
  for (const path of sourcesOf(state)) records.push([path, await publishedRecord(tools, path)]);
  return openLinker(tools.root, records);
}

function sourcesOf({ inputs }: State): string[] {
  return [...inputs.values()].filter(({ skipped }) => skipped === null).map(({ path }) => path);
}

async function publishedRecord({ recordBefore }: RelinkTools, path: string): Promise<FileRecord> {
  const record = await recordBefore(path);
  if (record !== null) return record;
  throw new IndexError(
    'corrupt_artifact',
    `expected the published text of ${path}, found none; run \`woods extract\` to index the tree anew`,
  );
}

/** The store may keep edges in another order. No edge comes twice. */
function sameEdges(one: readonly Edge[], other: readonly Edge[]): boolean {
  if (one.length !== other.length) return false;
  const byTarget = new Map<string, Edge[]>();
  for (const edge of one) {
    const same = byTarget.get(edge.target);
    if (same === undefined) byTarget.set(edge.target, [edge]);
    else same.push(edge);
  }
  return other.every((edge) => byTarget.get(edge.target)?.some((candidate) => isSame(edge, candidate)) ?? false);
}

function isSame(one: Edge, other: Edge): boolean {
  return (
    one.source === other.source &&
    one.line === other.line &&
    one.via === other.via &&
    one.resolution === other.resolution
  );
}
