import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { findRoot, UsageError } from '@woods/protocol';
import { describe, expect, it } from 'vitest';
import { treeOf } from './support/tree.ts';

const WORKSPACES = '{ "workspaces": ["packages/*"] }';

describe('the root', () => {
  it.each<{ rule: string; files: Record<string, string>; cwd: string; root: string; found: string }>([
    {
      rule: 'is where woods.json is',
      files: { 'a/woods.json': '{}', 'a/b/c/': '' },
      cwd: 'a/b/c',
      root: 'a',
      found: 'woods.json',
    },
    { rule: 'is where .git is', files: { 'a/.git/HEAD': '', 'a/b/': '' }, cwd: 'a/b', root: 'a', found: 'git' },
    {
      rule: 'is a linked worktree, whose .git is a file',
      files: { 'a/.git': 'gitdir: x', 'a/b/': '' },
      cwd: 'a/b',
      root: 'a',
      found: 'git',
    },
    {
      rule: 'is the nearest of two repositories',
      files: { '.git/': '', 'a/.git/': '', 'a/b/': '' },
      cwd: 'a/b',
      root: 'a',
      found: 'git',
    },
    {
      rule: 'is woods.json before a repository above',
      files: { '.git/': '', 'a/woods.json': '{}' },
      cwd: 'a',
      root: 'a',
      found: 'woods.json',
    },
    {
      rule: 'is a repository before woods.json above',
      files: { 'woods.json': '{}', 'a/.git/': '' },
      cwd: 'a',
      root: 'a',
      found: 'git',
    },
    {
      rule: 'is woods.json before .git beside it',
      files: { 'woods.json': '{}', '.git/': '' },
      cwd: '',
      root: '',
      found: 'woods.json',
    },
    {
      rule: 'is where package.json is, without a repository',
      files: { 'a/package.json': '{}', 'a/b/': '' },
      cwd: 'a/b',
      root: 'a',
      found: 'package',
    },
    {
      rule: 'is the nearest package, without a workspace',
      files: { 'package.json': '{}', 'a/package.json': '{}' },
      cwd: 'a',
      root: 'a',
      found: 'package',
    },
    {
      rule: 'is the repository and not a package in it',
      files: { '.git/': '', 'packages/a/package.json': '{}' },
      cwd: 'packages/a',
      root: '',
      found: 'git',
    },
    {
      rule: 'is the workspace and not a package in it',
      files: { 'package.json': WORKSPACES, 'packages/a/package.json': '{}' },
      cwd: 'packages/a',
      root: '',
      found: 'package',
    },
    {
      rule: 'is the outermost workspace',
      files: { 'package.json': WORKSPACES, 'a/package.json': WORKSPACES, 'a/b/package.json': '{}' },
      cwd: 'a/b',
      root: '',
      found: 'package',
    },
    {
      rule: 'is the outermost workspace, over a package between',
      files: {
        'package.json': WORKSPACES,
        'a/package.json': '{}',
        'a/b/package.json': WORKSPACES,
        'a/b/c/package.json': '{}',
      },
      cwd: 'a/b/c',
      root: '',
      found: 'package',
    },
    {
      rule: 'is the repository and not a workspace in it',
      files: { '.git/': '', 'js/package.json': WORKSPACES, 'js/packages/a/package.json': '{}' },
      cwd: 'js/packages/a',
      root: '',
      found: 'git',
    },
    {
      rule: 'is a repository in a workspace',
      files: { 'package.json': WORKSPACES, 'packages/a/.git': 'gitdir: x' },
      cwd: 'packages/a',
      root: 'packages/a',
      found: 'git',
    },
    {
      rule: 'is a workspace as yarn 1 and bun write it',
      files: { 'package.json': '{ "workspaces": { "packages": ["*"] } }', 'a/package.json': '{}' },
      cwd: 'a',
      root: '',
      found: 'package',
    },
    {
      rule: 'is a workspace of pnpm',
      files: { 'pnpm-workspace.yaml': 'packages:\n  - "*"\n', 'a/package.json': '{}' },
      cwd: 'a',
      root: '',
      found: 'package',
    },
    {
      rule: 'is no pnpm file with settings alone',
      files: { 'pnpm-workspace.yaml': 'onlyBuiltDependencies:\n  - packages\n', 'a/package.json': '{}' },
      cwd: 'a',
      root: 'a',
      found: 'package',
    },
    {
      rule: 'is no workspace without packages',
      files: { 'package.json': '{ "workspaces": [] }', 'a/package.json': '{}' },
      cwd: 'a',
      root: 'a',
      found: 'package',
    },
    {
      rule: 'is no workspace that only names the word',
      files: { 'package.json': '{ "keywords": ["workspaces"] }', 'a/package.json': '{}' },
      cwd: 'a',
      root: 'a',
      found: 'package',
    },
    {
      rule: 'is not lost over a broken package.json',
      files: { 'package.json': '{ "workspaces": [', 'a/package.json': '{' },
      cwd: 'a',
      root: 'a',
      found: 'package',
    },
  ])('$rule', ({ files, cwd, root, found }) => {
    const top = treeOf(files);
    expect(findRoot({ cwd: join(top, cwd) })).toEqual({ root: join(top, root), found });
  });

  it('is what the option says, from the current directory, links resolved', () => {
    const top = treeOf({ '.git/': '', 'a/b/': '' });
    symlinkSync(join(top, 'a'), join(top, 'link'));
    expect(findRoot({ root: 'link/b', cwd: top })).toEqual({ root: join(top, 'a/b'), found: 'option' });
    expect(findRoot({ root: '.', cwd: join(top, 'a') })).toEqual({ root: join(top, 'a'), found: 'option' });
    expect(findRoot({ root: join(top, 'a'), cwd: '/' })).toEqual({ root: join(top, 'a'), found: 'option' });
  });

  it('is the same through a link into the tree', () => {
    const top = treeOf({ 'repo/.git/': '', 'repo/src/': '', 'elsewhere/': '' });
    symlinkSync(join(top, 'repo/src'), join(top, 'elsewhere/src'));
    expect(findRoot({ cwd: join(top, 'elsewhere/src') })).toEqual({ root: join(top, 'repo'), found: 'git' });
  });

  it.each([
    ['none', /expected --root to be a readable directory, found ".*none": there is no such directory/],
    ['file', /expected --root to be a directory, found a file: ".*file"/],
    ['file/below', /part of the path is not a directory/],
    ['loop', /its links lead in a circle/],
    ['a\0b', /expected --root to be a directory, found ".*a\\u0000b"/],
  ])('cannot be %j', (root, message) => {
    const top = treeOf({ file: '' });
    symlinkSync('loop', join(top, 'loop'));
    expect(() => findRoot({ root, cwd: top })).toThrow(UsageError);
    expect(() => findRoot({ root, cwd: top })).toThrow(message);
  });

  it.skipIf(process.getuid?.() === 0)('cannot be a directory that may not be read', () => {
    const top = treeOf({ 'a/': '' });
    chmodSync(join(top, 'a'), 0);
    expect(() => findRoot({ root: 'a', cwd: top })).toThrow(/readable directory.+permission denied/);
    chmodSync(join(top, 'a'), 0o755);
  });

  it('is asked for where there is none', () => {
    const top = treeOf({ 'a/': '' });
    // what lies above the temporary directory is not ours; it has no project on any machine that runs tests
    const act = () => findRoot({ cwd: join(top, 'a') });
    expect(act).toThrow(UsageError);
    expect(act).toThrow(/expected woods.json, .git or package.json in ".*\/a" or above it, found none; .+ --root/);
    mkdirSync(join(top, '.git'));
    expect(act()).toEqual({ root: top, found: 'git' });
  });
});
