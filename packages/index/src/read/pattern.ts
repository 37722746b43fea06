/** What a search looks for, and how well a text answers it. Pure. */

export type Match = 'any' | 'exact' | 'prefix' | 'suffix' | 'substring' | 'regex';

/** How a text was found, best first: the order of ranks. */
export const KINDS = ['exact', 'exact_ignoring_case', 'prefix', 'word', 'suffix', 'substring', 'regex'] as const;
export type Kind = (typeof KINDS)[number];

export interface Pattern {
  /** How the text matches, or null. Only matches that end behind `from` count. */
  find(text: string, from?: number): Kind | null;
  /** For searching whole files; has the flag `g`. */
  readonly inSource: RegExp;
  /**
   * Finds, in bytes read as Latin-1, every string that `find` may find something in, and few others. Null where that
   * cannot be told from bytes.
   */
  readonly rough: RegExp | null;
  /** Whether a match may reach across the `#` between path and qualified name. */
  readonly crossesHash: boolean;
  /** Whether matching may take time without bound. */
  readonly cost: 'linear' | 'unbounded';
  /** What the user should know about how the pattern was read. */
  readonly notes: readonly string[];
}

export interface PatternOptions {
  readonly match: Match;
  readonly letterCase: 'ignore' | 'respect';
}

/** Never throws: a regular expression that cannot be read is taken literally, and a note says so. */
export function readPattern(text: string, options: PatternOptions): Pattern {
  if (options.match !== 'regex') return literalPattern(text, options.match, options.letterCase, []);
  const flags = options.letterCase === 'ignore' ? 'gi' : 'g';
  try {
    return regexPattern(new RegExp(text, flags), new RegExp(text, `${flags}m`));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return literalPattern(text, 'substring', options.letterCase, [
      `the pattern is no regular expression (${why}) and was taken literally`,
    ]);
  }
}

function regexPattern(expression: RegExp, inSource: RegExp): Pattern {
  return {
    find: (text, from = 0) => {
      for (const match of text.matchAll(expression)) {
        if (match[0].length > 0 && match.index + match[0].length > from) return 'regex';
      }
      return null;
    },
    inSource,
    rough: null,
    crossesHash: true,
    cost: 'unbounded',
    notes: [],
  };
}

function literalPattern(
  text: string,
  match: Exclude<Match, 'regex'>,
  letterCase: PatternOptions['letterCase'],
  notes: readonly string[],
): Pattern {
  const fold = (value: string) => (letterCase === 'ignore' ? value.toLowerCase() : value);
  const wanted = fold(text);
  return {
    find: (candidate, from = 0) => {
      const folded = fold(candidate);
      if (wanted.length === 0 || !folded.includes(wanted)) return null;
      const kind = literalKind(candidate, folded, { exact: text, wanted, from });
      return kind === null ? null : restated(match, kind, folded.endsWith(wanted));
    },
    inSource: new RegExp(escapeRegExp(text), letterCase === 'ignore' ? 'gi' : 'g'),
    rough: roughPattern(text, letterCase),
    crossesHash: text.includes('#'),
    cost: 'linear',
    notes,
  };
}

/** Letters beyond ASCII may fold to ones within it, so whatever holds any is looked at. */
function roughPattern(text: string, letterCase: PatternOptions['letterCase']): RegExp | null {
  if (!/^[\x20-\x7e]+$/.test(text) || text.includes('#')) return null;
  return new RegExp(`${escapeRegExp(text)}|[\\x80-\\xff]`, letterCase === 'ignore' ? 'gi' : 'g');
}

function literalKind(
  candidate: string,
  folded: string,
  { exact, wanted, from }: { exact: string; wanted: string; from: number },
): Kind | null {
  let best: Kind | null = null;
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    if (at + wanted.length <= from) continue;
    if (at === 0) {
      if (candidate === exact) return 'exact';
      return folded.length === wanted.length ? 'exact_ignoring_case' : 'prefix';
    }
    if (isWordStart(candidate, at)) return 'word';
    best = 'substring';
  }
  return best;
}

/** What was found as this way of matching calls it; null when it does not count there. */
function restated(match: Exclude<Match, 'regex'>, kind: Kind, atEnd: boolean): Kind | null {
  const isWhole = kind === 'exact' || kind === 'exact_ignoring_case';
  switch (match) {
    case 'any':
    case 'substring':
      return kind;
    case 'exact':
      return isWhole ? kind : null;
    case 'prefix':
      return isWhole || kind === 'prefix' ? kind : null;
    case 'suffix':
      return isWhole ? kind : atEnd ? 'suffix' : null;
  }
}

/** Behind anything that is no letter or digit, and where camelCase, PascalCase and ABCWords begin a word. */
export function isWordStart(text: string, at: number): boolean {
  const before = text[at - 1];
  const here = text[at] ?? '';
  if (before === undefined || !/[\p{L}\p{N}]/u.test(before)) return true;
  if (!isUpper(here)) return /\p{N}/u.test(here) !== /\p{N}/u.test(before);
  const after = text[at + 1];
  return !isUpper(before) || (after !== undefined && isLower(after));
}

function isUpper(letter: string): boolean {
  return letter !== letter.toLowerCase();
}

function isLower(letter: string): boolean {
  return letter !== letter.toUpperCase();
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
