/** Everything that can be asked of a generation. */
import { IndexError, UnitNotFound } from '../errors.ts';
import type { HeldFile } from '../model.ts';
import { readBody } from '../store/generation/bodies.ts';
import type { Manifest } from '../store/generation/manifest.ts';
import { edgesOfFile, type StoredEdge, spanOf } from '../store/segment/rows.ts';
import { fileOfUnit } from '../store/segment/segment.ts';
import { findUnit, unitPlace } from '../store/segment/view.ts';
import { canonicalLines } from './canonical.ts';
import { filesOf, type IndexedFile, languagesOf } from './files.ts';
import { type LookupResult, lookUp } from './lookup.ts';
import { nearestUnits } from './nearest.ts';
import { search } from './search.ts';
import type { SearchOptions, SearchResult } from './search-words.ts';
import type { Snapshot } from './snapshot.ts';
import { type IndexStats, statsOf } from './stats.ts';
import { detailOf, liveUnits, type UnitDetail } from './units.ts';
import { type Walk, type WalkOptions, walk } from './walk.ts';

export interface GenerationInfo {
  readonly number: number;
  readonly token: string;
  readonly reason: string;
  /** ISO 8601 UTC. */
  readonly publishedAt: string;
}

/**
 * Each call throws IndexError: `empty_index` (nothing published yet), `corrupt_artifact`, and what it says itself.
 * Where an identifier is asked for and no unit has it, UnitNotFound names the nearest ones.
 */
export interface IndexQueries {
  generation(): GenerationInfo;
  manifest(): Manifest;
  /** Files whose last good record is kept because they do not parse now. */
  held(): readonly HeldFile[];
  stats(): IndexStats;
  files(): readonly IndexedFile[];
  skipped(): readonly IndexedFile[];
  /** Null when no unit has this identifier. */
  unit(identifier: string): UnitDetail | null;
  /** All units of one generation, in no order. */
  units(): Iterable<UnitDetail>;
  /** The edges that leave a unit, guesses included, each with its target as it was published. */
  edgesOf(identifier: string): readonly StoredEdge[];
  lookup(query: string, options?: { limit?: number }): LookupResult;
  /** The text of a unit. IndexError `not_found` when the index has no text of its file. */
  source(identifier: string): string;
  dependencies(identifier: string, options?: WalkOptions): Walk;
  dependents(identifier: string, options?: WalkOptions): Walk;
  search(options: SearchOptions): SearchResult;
  /** The whole index as lines to compare it by; see `canonicalLines`. */
  canonical(): Iterable<string>;
}

/** `ask` hands each question the snapshot that it is to be answered from. */
export function queriesOver(ask: <T>(answer: (snapshot: Snapshot) => T) => T): IndexQueries {
  return {
    generation: () => ask(generationInfo),
    manifest: () => ask(({ manifest }) => manifest),
    held: () => ask(({ manifest }) => manifest.held),
    stats: () => ask((snapshot) => statsOf(snapshot, languagesOf(snapshot.view))),
    files: () => ask(({ view }) => filesOf(view, 'all')),
    skipped: () => ask(({ view }) => filesOf(view, 'skipped')),
    unit: (identifier) =>
      ask(({ view }) => {
        const unit = findUnit(view, identifier);
        return unit < 0 ? null : detailOf(view, unit);
      }),
    units: () => ask(allUnits),
    edgesOf: (identifier) => ask((snapshot) => edgesOfUnit(snapshot, identifier)),
    lookup: (query, options) => ask((snapshot) => lookUp(snapshot, query, options)),
    source: (identifier) => ask((snapshot) => sourceOfUnit(snapshot, identifier)),
    dependencies: (identifier, options = {}) =>
      ask((snapshot) => walk(snapshot, unitNumber(snapshot, identifier), 'dependencies', options)),
    dependents: (identifier, options = {}) =>
      ask((snapshot) => walk(snapshot, unitNumber(snapshot, identifier), 'dependents', options)),
    search: (options) => ask((snapshot) => search(snapshot, options)),
    canonical: () => ask(({ view }) => ({ [Symbol.iterator]: () => canonicalLines(view) })),
  };
}

function generationInfo({ pointer, manifest }: Snapshot): GenerationInfo {
  return { number: pointer.number, token: pointer.token, reason: pointer.reason, publishedAt: manifest.publishedAt };
}

function allUnits({ view }: Snapshot): Iterable<UnitDetail> {
  return {
    *[Symbol.iterator]() {
      for (const unit of liveUnits(view)) yield detailOf(view, unit);
    },
  };
}

function unitNumber(snapshot: Snapshot, identifier: string): number {
  const unit = findUnit(snapshot.view, identifier);
  if (unit >= 0) return unit;
  throw new UnitNotFound(
    identifier,
    nearestUnits(snapshot, identifier).map((near) => near.identifier),
  );
}

function edgesOfUnit(snapshot: Snapshot, identifier: string): StoredEdge[] {
  const { segment, number } = unitPlace(snapshot.view, unitNumber(snapshot, identifier));
  return edgesOfFile(segment, fileOfUnit(segment, number)).filter(({ source }) => source === identifier);
}

function sourceOfUnit(snapshot: Snapshot, identifier: string): string {
  const { segment, number } = unitPlace(snapshot.view, unitNumber(snapshot, identifier));
  const body = readBody(snapshot.payloadDir, segment, fileOfUnit(segment, number));
  if (body === null) throw new IndexError('not_found', `the index holds no text for ${identifier}`);
  const { start, end } = spanOf(segment, number);
  return body.toString('utf8', start, end);
}
