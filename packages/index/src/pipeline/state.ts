import { type Pointer, readPointer } from '@woods/protocol';
import type { Linker } from '../link/linker.ts';
import type { HeldFile, SourceInput } from '../model.ts';
import { type GitState, loadPublished, type PublishedIndex, type SegmentCache, type Totals } from '../store/index.ts';
import { compareFingerprints, type Fingerprint } from './fingerprint.ts';
import { loadTouched } from './touched.ts';

/** A held file with what is on disk instead of what is published. */
export interface Held {
  readonly file: HeldFile;
  /** Null when another process found it and its contents were not looked at yet. */
  readonly seen: SourceInput | null;
}

/** What this process knows of the published generation. Replaced as a whole whenever there is any doubt. */
export interface State {
  /** As it was when the state was loaded: what is installed meanwhile is for the next process to see. */
  readonly fingerprint: Fingerprint;
  /** Null: there is no generation to build on, and the next run is a cold one. */
  readonly published: PublishedIndex | null;
  /** All files by path, as they were last seen with the published contents. */
  readonly inputs: Map<string, SourceInput>;
  /** Files whose entry in `inputs` is newer than the published one; null: gone. The next publish takes them along. */
  readonly unpublished: Map<string, SourceInput | null>;
  readonly held: Map<string, Held>;
  readonly git: GitState | null;
  readonly totals: Totals;
  /** Whether the edges have to be found again although no file changed. */
  readonly linksChanged: boolean;
  /** Null until a run needs it. */
  readonly linker: Linker | null;
}

const NO_TOTALS: Totals = { files: 0, skipped: 0, units: 0, edges: 0, sourceBytes: 0 };

/** For a run that takes nothing from a generation before it. */
export function emptyState(fingerprint: Fingerprint): State {
  return {
    fingerprint,
    published: null,
    inputs: new Map(),
    unpublished: new Map(),
    held: new Map(),
    git: null,
    totals: NO_TOTALS,
    linksChanged: false,
    linker: null,
  };
}

/** Reads the published generation. One that is gone, damaged or made under other settings counts as none. */
export function loadState(indexDir: string, fingerprint: Fingerprint, cache: SegmentCache): State {
  const published = loadPublished(indexDir, cache);
  if (published.kind === 'none') return emptyState(fingerprint);
  const { manifest, pointer } = published;
  const verdict = compareFingerprints(manifest.configFingerprint, fingerprint);
  if (verdict === 'other records') return emptyState(fingerprint);
  const inputs = published.inputs;
  const touched = loadTouched(indexDir, pointer, inputs);
  for (const input of touched) inputs.set(input.path, input);
  return {
    fingerprint,
    published,
    inputs,
    unpublished: new Map(touched.map((input) => [input.path, input])),
    held: new Map(manifest.held.map((file) => [file.path, { file, seen: null }])),
    git: manifest.git,
    totals: manifest.totals,
    linksChanged: verdict === 'other links',
    linker: null,
  };
}

/** Whether the generation that the state speaks of is still the published one, and still there. */
export function isCurrent({ published }: State, indexDir: string): boolean {
  const read = readPointer(indexDir);
  const pointer = read.kind === 'ok' ? read.value : null;
  if (published === null || pointer === null) return published === pointer;
  return isSame(published.pointer, pointer) && published.isWhole();
}

function isSame(one: Pointer, other: Pointer): boolean {
  return one.number === other.number && one.token === other.token;
}
