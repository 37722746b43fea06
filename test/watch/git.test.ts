import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { encodePath } from '../../packages/watch/src/bytes/path.ts';
import { findRepository, gitFile } from '../../packages/watch/src/git/repository.ts';
import { gitEnvironment, runGit } from '../../packages/watch/src/git/run.ts';
import { git, repository, temporaryDirectory, tree } from './support/tree.ts';

/** Puts a command called git first in PATH for one test. */
function fakeGit(script: string): void {
  const bin = temporaryDirectory();
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, 'git'), 0o755);
  setPath(`${bin}:${process.env.PATH}`);
}

function setPath(path: string): void {
  const before = process.env.PATH;
  process.env.PATH = path;
  onTestFinished(() => {
    process.env.PATH = before;
  });
}

function repositoryAt(root: string) {
  const found = findRepository(root);
  if (found.kind !== 'repository') throw new Error(`expected a repository at ${root}, found ${JSON.stringify(found)}`);
  return found.repository;
}

describe('runGit', () => {
  it('hands back the bytes', () => {
    const root = repository({ 'a\n"b': '' });
    expect(runGit(['ls-files', '-oz'], { cwd: root })).toEqual({ ok: true, stdout: Buffer.from('a\n"b\0') });
  });

  it('names what went wrong', () => {
    const root = tree();
    expect(runGit(['status'], { cwd: root })).toMatchObject({ ok: false, failure: 'not_a_repository', exitCode: 128 });
    expect(runGit(['no-such-command'], { cwd: root })).toMatchObject({ ok: false, failure: 'failed', exitCode: 1 });
    expect(runGit(['version'], { cwd: join(root, 'none') })).toMatchObject({ ok: false, failure: 'failed' });
  });

  it('refuses output beyond the cap instead of cutting it', () => {
    const root = repository({ 'a-file-with-a-long-name': '' });
    expect(runGit(['ls-files', '-o'], { cwd: root, maxBytes: 5 })).toMatchObject({ ok: false, failure: 'too_large' });
  });

  it('ends a git that hangs', () => {
    fakeGit('exec sleep 60');
    expect(runGit(['status'], { cwd: tree(), timeoutMs: 200 })).toMatchObject({ ok: false, failure: 'timeout' });
  });

  it('tells a refusal over ownership apart', () => {
    fakeGit('echo "fatal: detected dubious ownership in repository at /x" >&2; exit 128');
    const root = tree();
    expect(runGit(['status'], { cwd: root })).toMatchObject({ failure: 'refused' });
    expect(findRepository(root)).toMatchObject({ kind: 'failed', detail: expect.stringContaining('safe.directory') });
  });

  it('says so when there is no git', () => {
    const root = tree();
    setPath(temporaryDirectory());
    expect(runGit(['status'], { cwd: root })).toMatchObject({ ok: false, failure: 'git_missing' });
    expect(findRepository(root)).toMatchObject({ kind: 'failed', detail: expect.stringContaining('PATH') });
  });

  it('lets no variable lead git elsewhere', () => {
    const other = repository();
    const kept = gitEnvironment({
      GIT_DIR: join(other, '.git'),
      GIT_CONFIG_COUNT: '1',
      HOME: '/h',
      LANG: 'de_DE.UTF-8',
    });
    expect(kept).toEqual({
      HOME: '/h',
      LANG: 'de_DE.UTF-8',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
    });
  });

  it('runs no command that the repository names for fsmonitor', () => {
    const root = repository({ 'a.ts': '' });
    const witness = join(temporaryDirectory(), 'ran');
    git(root, 'config', 'core.fsmonitor', `touch ${witness}; false`);
    runGit(['ls-files', '-o'], { cwd: root });
    expect(runGit(['hash-object', witness], { cwd: root })).toMatchObject({ ok: false });
  });
});

describe('findRepository', () => {
  it('finds the top from below it', () => {
    const root = repository({ 'packages/a/x.ts': '' });
    const found = repositoryAt(join(root, 'packages/a'));
    expect(found).toEqual({ gitDir: `${root}/.git`, commonDir: `${root}/.git`, top: root, prefix: 'packages/a/' });
  });

  it('follows a linked worktree to its own and the common directory', () => {
    const root = repository({ 'a.ts': '' });
    git(root, 'add', '.');
    git(root, 'commit', '-qm', 'one');
    const linked = join(temporaryDirectory(), 'linked');
    git(root, 'worktree', 'add', '-q', linked);
    const found = repositoryAt(linked);
    expect(gitFile(found, 'HEAD')).toBe(`${root}/.git/worktrees/linked/HEAD`);
    expect(gitFile(found, 'index.lock')).toBe(`${root}/.git/worktrees/linked/index.lock`);
    expect(gitFile(found, 'info/exclude')).toBe(`${root}/.git/info/exclude`);
  });

  it('reads a root whose name has line breaks and is not ASCII', () => {
    const root = join(repository(), 'zwei\nZeilen', 'für\nalle');
    mkdirSync(root, { recursive: true });
    const found = repositoryAt(root);
    expect(found.prefix).toBe(encodePath('zwei\nZeilen/für\nalle/'));
    expect(`${found.top}/${found.prefix}`).toBe(`${encodePath(root)}/`);
  });

  it('finds none outside of one', () => {
    expect(findRepository(tree())).toEqual({ kind: 'none' });
  });
});
