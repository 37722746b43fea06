import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { encodePath, nativePath } from '../bytes/path.ts';
import { findRepository, gitFile, type Repository } from '../git/repository.ts';
import { runGit } from '../git/run.ts';
import { NOTHING_TRACKED, readTracked, type Tracked } from '../git/tracked.ts';
import { isBuiltIn } from './builtin.ts';
import { type CaseRule, type Matcher, openMatcher } from './matcher.ts';
import { rootedPatterns } from './patterns.ts';
import { GIT_RULES, readRuleFile } from './rule-file.ts';

/** Everything that decides about paths below the root and does not lie below it. */
export interface OutsideRules {
  /** Patterns that come before those of the root's own .gitignore. */
  readonly matcher: Matcher;
  readonly caseRule: CaseRule;
  /** From git's top to the root: '' or `some/directory/`; what the matcher wants in front of a root-relative path. */
  readonly prefix: string;
  readonly tracked: Tracked;
  /** Equal before and after a re-read: no path can be judged differently. */
  readonly fingerprint: string;
  /** Files whose change calls for a re-read. */
  readonly inputs: readonly Input[];
  /** Why git's index could not be asked, in one line with the remedy; null when it could, or when there is no repository. */
  readonly problem: string | null;
}

interface Input {
  /** Absolute byte path. */
  readonly path: string;
  /** A directory's times move with everything in it, so of `.git` itself only the identity counts. */
  readonly counts: 'contents' | 'identity';
  readonly state: string;
}

/** Reads git's rules for `root` (absolute real path, text), with four git processes at most. */
export function readOutsideRules(root: string): OutsideRules {
  const ownGit = observe(`${encodePath(root)}/.git`, 'identity');
  const found = findRepository(root);
  if (found.kind === 'failed') return withoutRepository([ownGit], found.detail);
  if (found.kind === 'none') {
    const broken = ownGit.state === 'absent' ? null : `git takes ${root}/.git for no repository; run git fsck there`;
    return withoutRepository([ownGit], broken);
  }
  const { repository } = found;
  // Looked at before they are read: what is written in between is found at the next look.
  const settings = readSettings(root, repository);
  const paths = ['index', 'config', 'config.worktree', 'info/exclude'].map((name) => gitFile(repository, name));
  const above = ruleFilesAbove(repository);
  const ruleFiles = [
    ...[settings.excludesFile, gitFile(repository, 'info/exclude')].map((path) => ({ path, prefix: '' })),
    ...above,
  ];
  const inputs = [...new Set([...paths, ...personalConfigs(), ...ruleFiles.map(({ path }) => path)])];
  const observed = [ownGit, ...inputs.map((path) => observe(path, 'contents'))];

  const texts = ruleFiles.map(({ path, prefix }) => ({ text: readRuleFile(path, 'follow'), prefix }));
  const matcher = openMatcher(settings.caseRule).extend(
    texts.flatMap(({ text, prefix }) => rootedPatterns(text, prefix)),
  );
  const { tracked, problem } = readTracked(root);
  const outerIgnoresRoot = repository.prefix !== '' && ignoresAncestor(matcher, repository.prefix);
  // A root inside an ignored directory of, say, a repository of dotfiles is a project of its own.
  if (outerIgnoresRoot && tracked.directories.size === 0) return withoutRepository(observed, null);
  return {
    matcher,
    caseRule: settings.caseRule,
    prefix: repository.prefix,
    tracked,
    fingerprint: fingerprintOf(settings, texts, tracked),
    inputs: observed,
    problem,
  };
}

/** Whether any of the files was written, created or deleted since the rules were read. */
export function isOutdated(rules: OutsideRules): boolean {
  return rules.inputs.some(({ path, counts, state }) => observe(path, counts).state !== state);
}

function withoutRepository(inputs: readonly Input[], problem: string | null): OutsideRules {
  const caseRule = 'case_sensitive';
  const matcher = openMatcher(caseRule);
  return { matcher, caseRule, prefix: '', tracked: NOTHING_TRACKED, fingerprint: 'none', inputs, problem };
}

function readSettings(root: string, repository: Repository): { excludesFile: string; caseRule: CaseRule } {
  const run = runGit(['config', '-z', '--type=path', '--get-regexp', '^core\\.(excludesfile|ignorecase)$'], {
    cwd: root,
  });
  const settings = new Map<string, string>();
  // Exit code 1 is git's way to say that neither is set.
  for (const entry of run.ok ? run.stdout.toString('latin1').split('\0') : []) {
    const [name = '', ...value] = entry.split('\n');
    settings.set(name, value.join('\n'));
  }
  const named = settings.get('core.excludesfile') ?? `${configHome()}/git/ignore`;
  return {
    excludesFile: named.startsWith('/') ? named : `${repository.top}/${named}`,
    caseRule: /^(?:true|yes|on|1)$/i.test(settings.get('core.ignorecase') ?? '')
      ? 'case_insensitive'
      : 'case_sensitive',
  };
}

function configHome(): string {
  return encodePath(process.env.XDG_CONFIG_HOME || `${homedir()}/.config`);
}

function personalConfigs(): string[] {
  return [`${encodePath(homedir())}/.gitconfig`, `${configHome()}/git/config`];
}

/** The .gitignore files between git's top and the root, the root's own left out: that one lies in the tree. */
function ruleFilesAbove({ top, prefix }: Repository): { path: string; prefix: string }[] {
  const names = prefix.split('/').slice(0, -1);
  return names.map((_, depth) => {
    const directory = names
      .slice(0, depth)
      .map((name) => `${name}/`)
      .join('');
    return { path: `${top}/${directory}${GIT_RULES}`, prefix: directory };
  });
}

function ignoresAncestor(matcher: Matcher, prefix: string): boolean {
  // The library looks at every directory above, so the last one answers for all.
  return matcher.test(prefix) === 'ignored';
}

function fingerprintOf(settings: object, texts: object, tracked: Tracked): string {
  const exceptions = [...tracked.exceptions].sort();
  // Any commit moves the list of directories; it only decides where a built-in rule would.
  const spared = [...tracked.directories].filter(isBuiltIn).sort();
  return createHash('sha256')
    .update(JSON.stringify([settings, texts, exceptions, spared]))
    .digest('hex');
}

function observe(path: string, counts: Input['counts']): Input {
  return { path, counts, state: stateOf(statQuietly(path, counts), counts) };
}

function statQuietly(path: string, counts: Input['counts']): BigIntStats | null {
  const stat = counts === 'identity' ? lstatSync : statSync;
  try {
    return stat(nativePath(path), { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null; // out of reach is as good as absent until it is in reach again
  }
}

function stateOf(stat: BigIntStats | null, counts: Input['counts']): string {
  if (stat === null) return 'absent';
  const identity = `${stat.dev}:${stat.ino}:${stat.mode & 0o170000n}`;
  return counts === 'identity' ? identity : `${identity}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}
