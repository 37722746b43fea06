import { statSync } from 'node:fs';
import { type Repository, runGit } from '@woods/watch';
import type { GitState } from '../store/index.ts';

/** Which commit the tree is at, and whether it differs from it; null when there is no repository or no commit. */
export interface GitLook {
  /** Asks git. */
  now(): GitState | null;
  /**
   * What is known, without asking git unless it has written since. After a change in a clean tree the tree is dirty; a
   * change that takes a dirty tree back to its commit shows when git is asked next.
   */
  afterRun(tree: 'changed' | 'unchanged'): GitState | null;
}

/** What git writes when it commits, switches, resets or adds. */
const WRITTEN = ['HEAD', 'index', 'logs/HEAD', 'reftable/tables.list'];

const STATUS = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=normal', '--', '.'];

export function openGitLook(root: string, repository: Repository | null): GitLook {
  let state: GitState | null = null;
  let seen: string | null = null;

  function now(): GitState | null {
    if (repository === null) return null;
    seen = signatureOf(repository);
    const run = runGit(STATUS, { cwd: root });
    state = run.ok ? parseStatus(run.stdout.toString('utf8')) : null;
    return state;
  }

  return {
    now,
    afterRun(tree) {
      if (repository === null) return null;
      if (seen === null || signatureOf(repository) !== seen) return now();
      if (state !== null && tree === 'changed') state = { ...state, dirty: true };
      return state;
    },
  };
}

/** Whether the tree is at the same commit and branch. */
export function sameCommit(one: GitState | null, other: GitState | null): boolean {
  return one?.sha === other?.sha && one?.branch === other?.branch;
}

function signatureOf({ gitDir }: Repository): string {
  return WRITTEN.map((name) => {
    const stat = statSync(Buffer.from(`${gitDir}/${name}`, 'latin1'), { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? '-' : `${stat.mtimeNs}:${stat.size}:${stat.ino}`;
  }).join(' ');
}

function parseStatus(output: string): GitState | null {
  const entries = output.split('\0').filter((entry) => entry !== '');
  const header = (name: string) =>
    entries.find((entry) => entry.startsWith(`# branch.${name} `))?.slice(`# branch.${name} `.length);
  const sha = header('oid');
  const head = header('head');
  if (sha === undefined || !/^[0-9a-f]{40,64}$/.test(sha)) return null;
  return {
    sha,
    branch: head === undefined || head === '(detached)' ? null : head,
    dirty: entries.some((entry) => !entry.startsWith('# ')),
  };
}
