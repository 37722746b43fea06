/** Questions and answers of a search. */
import type { Kind, Match } from './pattern.ts';
import type { UnitSummary } from './units.ts';

export type SearchField = 'name' | 'identifier' | 'path' | 'source';

export interface SearchOptions {
  readonly pattern: string;
  /** `any` by default: a literal text anywhere, the better places first. */
  readonly match?: Match;
  /** All but `source` by default. `identifier` is what follows the path, `path` finds the unit called as its file. */
  readonly fields?: readonly SearchField[];
  readonly types?: readonly string[];
  /** Files or directories, from the root. */
  readonly paths?: readonly string[];
  /** `ignore` by default. */
  readonly letterCase?: 'ignore' | 'respect';
  /** 50 by default, 1,000 at most. */
  readonly limit?: number;
  /** For regular expressions; 2,000 by default. */
  readonly timeLimitMs?: number;
}

export interface SearchHit {
  readonly unit: UnitSummary;
  readonly field: SearchField;
  readonly kind: Kind;
  /** Where it was found: in the source, or where the unit begins. */
  readonly line: number;
  /** The line of source, cut to 200 characters; null for other fields. */
  readonly text: string | null;
}

export interface SearchResult {
  /** Exact before prefix before the start of a word before anywhere; names before identifiers, paths and source. */
  readonly hits: readonly SearchHit[];
  /** Of all matches that were found, listed or not. */
  readonly total: number;
  readonly partial: boolean;
  readonly reason: 'limit' | 'time_limit' | 'source_budget' | null;
  /** How the pattern was read, where that is not as the user may think. */
  readonly notes: readonly string[];
}

/** A match before it is known whether it will be listed. */
export interface Found {
  readonly unit: number;
  readonly field: SearchField;
  readonly kind: Kind;
  readonly source: { readonly line: number; readonly text: string } | null;
}
