/** Reading: one snapshot a generation, lookups, walks over the edges, search. */
export type { IndexedFile } from './files.ts';
export type { LookupResult } from './lookup.ts';
export type { Match } from './pattern.ts';
export type { Hold } from './pin.ts';
export type { GenerationInfo, IndexQueries } from './queries.ts';
export { type IndexReader, openReader } from './reader.ts';
export type { SearchField, SearchHit, SearchOptions, SearchResult } from './search-words.ts';
export type { IndexStats } from './stats.ts';
export type { UnitDetail, UnitSummary } from './units.ts';
export type { Walk, WalkOptions } from './walk.ts';
