import ignore, { type Ignore } from 'ignore';

type Verdict = 'ignored' | 'taken_back' | 'none';

/** A list of patterns in rising precedence. */
export interface Matcher {
  /** `path` from the top, with a slash at the end for a directory. */
  test(path: string): Verdict;
  /** This list with more patterns after it; this one stays as it is. */
  extend(patterns: readonly string[]): Matcher;
}

/** The library remembers every path it was ever asked for. */
const REMEMBERED_PATHS = 5_000;

export type CaseRule = 'case_sensitive' | 'case_insensitive';

/** A matcher without patterns. */
export function openMatcher(caseRule: CaseRule): Matcher {
  const create = (): Ignore => ignore({ ignorecase: caseRule === 'case_insensitive' });
  return matcherOf(create(), create);
}

function matcherOf(rules: Ignore, create: () => Ignore): Matcher {
  let current = rules;
  let asked = 0;
  return {
    test(path) {
      asked += 1;
      if (asked % REMEMBERED_PATHS === 0) current = create().add(current);
      const { ignored, unignored } = current.test(path);
      if (ignored) return 'ignored';
      return unignored ? 'taken_back' : 'none';
    },
    extend: (patterns) =>
      matcherOf(
        create()
          .add(current)
          .add([...patterns]),
        create,
      ),
  };
}
