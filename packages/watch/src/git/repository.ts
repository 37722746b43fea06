import { readFileSync, statSync } from 'node:fs';
import { encodePath, nativePath } from '../bytes/path.ts';
import { type GitResult, runGit } from './run.ts';

/** Where git keeps what belongs to a tree. All paths are absolute byte paths without a slash at the end. */
export interface Repository {
  /** Of this worktree: HEAD, index, index.lock. */
  readonly gitDir: string;
  /** Of all worktrees together: config, info/exclude, packed-refs, refs. */
  readonly commonDir: string;
  /** Top of the work tree. */
  readonly top: string;
  /** From `top` to the root that was asked for: '' or `some/directory/`. */
  readonly prefix: string;
}

export type FoundRepository =
  | { readonly kind: 'repository'; readonly repository: Repository }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly detail: string };

/** The repository that `root` (absolute, real path, text) belongs to. */
export function findRepository(root: string): FoundRepository {
  const run = runGit(['rev-parse', '--show-prefix', '--absolute-git-dir'], { cwd: root });
  if (!run.ok) return withoutRepository(run, root);
  const rootPath = encodePath(root);
  const found = splitAnswer(run.stdout.toString('latin1'), rootPath);
  if (found === null) return { kind: 'failed', detail: 'git rev-parse gave an answer that does not fit the root' };
  const { prefix, gitDir } = found;
  const top = prefix === '' ? rootPath : rootPath.slice(0, -prefix.length);
  return { kind: 'repository', repository: { gitDir, commonDir: commonDirOf(gitDir), top, prefix } };
}

/** Absolute byte path of `.git/<name>`, which for a linked worktree lies elsewhere. */
export function gitFile(repository: Repository, name: string): string {
  const shared = /^(?:config$|packed-refs$|info\/|refs\/)/.test(name);
  return `${shared ? repository.commonDir : repository.gitDir}/${name}`;
}

function withoutRepository(run: GitResult & { ok: false }, root: string): FoundRepository {
  if (run.failure === 'not_a_repository') return { kind: 'none' };
  if (run.failure === 'git_missing') return { kind: 'failed', detail: 'there is no git command in PATH' };
  const remedy = run.failure === 'refused' ? `; run: git config --global --add safe.directory ${root}` : '';
  return { kind: 'failed', detail: `git failed: ${run.detail}${remedy}` };
}

/** Two lines, either of which may itself hold a line break: the first must be an end of the root, the second absolute. */
function splitAnswer(answer: string, root: string): { prefix: string; gitDir: string } | null {
  for (let at = answer.indexOf('\n'); at >= 0; at = answer.indexOf('\n', at + 1)) {
    const prefix = answer.slice(0, at);
    const gitDir = answer.slice(at + 1, -1);
    if (gitDir.startsWith('/') && `${root}/`.endsWith(`/${prefix}`)) return { prefix, gitDir };
  }
  return null;
}

function commonDirOf(gitDir: string): string {
  try {
    const written = readFileSync(nativePath(`${gitDir}/commondir`), 'latin1').trimEnd();
    const joined = written.startsWith('/') ? written : `${gitDir}/${written}`;
    return collapse(joined);
  } catch {
    return gitDir; // only a linked worktree has the file
  }
}

/** Takes `..` out of an absolute path; git writes `../..` and no links. */
function collapse(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Whether `directory` (absolute byte path) is the top of a work tree of its own, as far as git cares for its parent. */
export function isWorkTree(directory: string): boolean {
  const own = `${directory}/.git`;
  try {
    if (statSync(nativePath(own)).isDirectory()) return isGitDir(own);
    const target = /^gitdir: (.+?)\n*$/s.exec(readFileSync(nativePath(own), 'latin1'))?.[1];
    return target !== undefined && isGitDir(target.startsWith('/') ? target : `${directory}/${target}`);
  } catch {
    return false;
  }
}

function isGitDir(path: string): boolean {
  return statSync(nativePath(`${path}/HEAD`), { throwIfNoEntry: false }) !== undefined;
}
