import { type BigIntStats, lstatSync } from 'node:fs';
import { nativePath } from '../bytes/path.ts';
import type { Matcher } from './matcher.ts';
import { rootedPatterns } from './patterns.ts';
import { GIT_RULES, readRuleFile, WOODS_RULES } from './rule-file.ts';

/** What holds inside one directory that is not ignored. */
export interface Directory {
  /** Root-relative byte path, '' for the root. */
  readonly path: string;
  readonly parent: Directory | null;
  readonly git: Matcher;
  readonly woods: Matcher;
  /** Ignored by git's rules and open only for the tracked files in it. */
  readonly onlyTracked: boolean;
  /** Verdicts by name, directories with a slash at the end, so that no pattern runs twice for one entry. */
  readonly verdicts: Map<string, boolean>;
  /** Replaced when the files were touched and still say the same. */
  rules: RuleFiles;
}

/** The two rule files of a directory as they were read. */
export interface RuleFiles {
  readonly gitText: string;
  readonly woodsText: string;
  /** Size, times and inode of both; '' means that they must be read again whatever they say. */
  readonly state: string;
}

/** What a listing tells of the files that bear on the rules; `null` for one that is not there. */
export interface RuleStamps {
  readonly [GIT_RULES]: BigIntStats | null;
  readonly [WOODS_RULES]: BigIntStats | null;
}

/** A file younger than this may be written again without a change in its times. */
const COARSEST_CLOCK_MS = 2_000;

/** Reads the rule files of a directory (absolute byte path), or hands `known` back when they are still the same. */
export function readRuleFiles(directory: string, stamps: RuleStamps, known: RuleFiles | null): RuleFiles {
  const state = stateOf(stamps);
  if (known !== null && known.state !== '' && known.state === state) return known;
  const gitText = stamps[GIT_RULES] === null ? '' : readRuleFile(`${directory}/${GIT_RULES}`, 'refuse');
  const woodsText = stamps[WOODS_RULES] === null ? '' : readRuleFile(`${directory}/${WOODS_RULES}`, 'refuse');
  return { gitText, woodsText, state: isFresh(stamps) ? '' : state };
}

export function lookAtRuleFiles(directory: string): RuleStamps {
  const look = (name: string): BigIntStats | null => {
    try {
      return lstatSync(nativePath(`${directory}/${name}`), { bigint: true, throwIfNoEntry: false }) ?? null;
    } catch {
      return null; // out of reach: the listing of the directory will say why
    }
  };
  return { [GIT_RULES]: look(GIT_RULES), [WOODS_RULES]: look(WOODS_RULES) };
}

/** A directory's rules from those of the one above it. `gitPrefix` is its path from git's top, as patterns want it. */
export function deriveDirectory(options: {
  readonly path: string;
  readonly parent: Directory | null;
  readonly above: { readonly git: Matcher; readonly woods: Matcher };
  readonly rules: RuleFiles;
  readonly gitPrefix: string;
  readonly onlyTracked: boolean;
}): Directory {
  const { path, parent, above, rules, gitPrefix, onlyTracked } = options;
  const woodsPrefix = path === '' ? '' : `${path}/`;
  return {
    path,
    parent,
    git: extended(above.git, rules.gitText, gitPrefix),
    woods: extended(above.woods, rules.woodsText, woodsPrefix),
    onlyTracked,
    verdicts: new Map(),
    rules,
  };
}

function extended(matcher: Matcher, text: string, prefix: string): Matcher {
  return text === '' ? matcher : matcher.extend(rootedPatterns(text, prefix));
}

function stateOf(stamps: RuleStamps): string {
  return [stamps[GIT_RULES], stamps[WOODS_RULES]]
    .map((stat) => (stat === null ? 'absent' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`))
    .join(' ');
}

function isFresh(stamps: RuleStamps): boolean {
  const oldEnough = BigInt(Date.now() - COARSEST_CLOCK_MS) * 1_000_000n;
  return [stamps[GIT_RULES], stamps[WOODS_RULES]].some((stat) => stat !== null && stat.ctimeNs > oldEnough);
}
