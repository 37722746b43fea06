import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodePath } from '../../packages/watch/src/bytes/path.ts';
import { openIgnore, type TreeOptions } from '../../packages/watch/src/ignore/rules.ts';
import { scanTree } from '../../packages/watch/src/scan/tree.ts';
import { git, optionsFor, repository, strangerHome, temporaryDirectory, tree, write } from './support/tree.ts';

function filesOf(root: string, more: Partial<TreeOptions> = {}): string[] {
  return scanTree({ root, ignore: openIgnore(optionsFor(root, more)) })
    .files.map(({ path }) => path)
    .sort();
}

describe('built-in directories', () => {
  it.each(['node_modules', 'tmp', 'log', 'coverage', 'dist', 'build', '.next', 'storage', '.venv', 'target'])(
    'leave out %s at any depth while nothing in it is tracked',
    (name) => {
      const root = repository({ 'a.ts': '', [`${name}/x.ts`]: '', [`packages/p/${name}/deep/x.ts`]: '' });
      expect(filesOf(root)).toEqual(['a.ts']);
      git(root, 'add', '-f', `packages/p/${name}/deep/x.ts`);
      expect(filesOf(root)).toEqual(['a.ts', `packages/p/${name}/deep/x.ts`]);
    },
  );

  it('match pairs of names and not their halves', () => {
    const root = tree({
      'vendor/bundle/x': '',
      'vendor/own/x': '',
      'a/public/packs/x': '',
      'a/packs/x': '',
      'bundle/x': '',
    });
    expect(filesOf(root)).toEqual(['a/packs/x', 'bundle/x', 'vendor/own/x']);
  });

  it('mean whole names and directories only', () => {
    const root = tree({ 'distance/a': '', 'builds/a': '', target: '', 'a.log/x': '' });
    expect(filesOf(root)).toEqual(['a.log/x', 'builds/a', 'distance/a', 'target']);
  });

  it('give way to a tracked file, and then git decides about the rest', () => {
    const root = repository({ '.gitignore': 'log/*\n', 'log/.keep': '', 'log/development.log': '' });
    git(root, 'add', '-f', 'log/.keep');
    expect(filesOf(root)).toEqual(['.gitignore', 'log/.keep']);
  });

  it('are not taken back by a .gitignore that takes back all directories, but by name in a .woodsignore', () => {
    const root = repository({ '.gitignore': '*\n!*/\n!*.ts\n', 'a.ts': '', 'node_modules/x.ts': '', 'build/x.ts': '' });
    expect(filesOf(root)).toEqual(['a.ts']);
    write(root, '.woodsignore', '!build/\n');
    expect(filesOf(root)).toEqual(['a.ts', 'build/x.ts']);
  });
});

describe('git and the index', () => {
  it('are never seen, whatever the rules say', () => {
    const root = repository({
      'a.ts': '',
      '.woodsignore': '!.git\n!idx/\n',
      'idx/generation.json': '',
      'b/.git': 'not a repository',
    });
    expect(filesOf(root, { indexDir: join(root, 'idx') })).toEqual(['.woodsignore', 'a.ts']);
  });

  it('leave a directory that only begins like the index', () => {
    const root = tree({ 'idx/x': '', 'idx2/x': '' });
    expect(filesOf(root, { indexDir: join(root, 'idx') })).toEqual(['idx2/x']);
  });
});

describe('repositories inside', () => {
  it('are other trees: untracked clone, submodule and worktree', () => {
    const root = repository({ 'a.ts': '' });
    git(root, 'add', '.');
    git(root, 'commit', '-qm', 'one');
    const other = repository({ 'b.ts': '' });
    git(other, 'add', '.');
    git(other, 'commit', '-qm', 'one');
    git(root, 'clone', '-q', other, 'clone');
    git(root, 'submodule', 'add', '-q', other, 'lib/sub');
    git(root, 'worktree', 'add', '-q', 'linked');
    expect(filesOf(root)).toEqual(['.gitmodules', 'a.ts']);
    const ignore = openIgnore(optionsFor(root));
    expect(['clone', 'lib/sub', 'linked', 'lib'].map((path) => ignore.ignores(path, 'dir'))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(ignore.ignores('lib/sub/b.ts', 'file')).toBe(true);
  });

  it('stay in when this one tracks files there, and an empty .git makes none', () => {
    const root = repository({ 'fixture/a.ts': '', 'plain/a.ts': '' });
    git(root, 'add', '.');
    git(root, 'init', '-q', 'fixture');
    mkdirSync(join(root, 'plain/.git'));
    expect(filesOf(root)).toEqual(['fixture/a.ts', 'plain/a.ts']);
  });
});

describe('.woodsignore', () => {
  it('adds to the rules, at any depth, for tracked files too', () => {
    const root = repository({
      '.woodsignore': 'generated/\n*.pb.ts\n',
      'a.ts': '',
      'a.pb.ts': '',
      'generated/a.ts': '',
      'packages/p/.woodsignore': '/fixtures\n!keep.pb.ts\n',
      'packages/p/fixtures/a.ts': '',
      'packages/p/keep.pb.ts': '',
      'packages/q/fixtures/a.ts': '',
    });
    git(root, 'add', '.');
    expect(filesOf(root)).toEqual([
      '.woodsignore',
      'a.ts',
      'packages/p/.woodsignore',
      'packages/p/keep.pb.ts',
      'packages/q/fixtures/a.ts',
    ]);
  });

  it('cannot take back what git ignores', () => {
    const root = repository({ '.gitignore': 'secret.ts\n', '.woodsignore': '!secret.ts\n', 'secret.ts': '' });
    expect(filesOf(root)).toEqual(['.gitignore', '.woodsignore']);
  });
});

describe('include and exclude', () => {
  const files = {
    'src/a.ts': '',
    'src/b/c.ts': '',
    'src/b/c.md': '',
    'lib/d.ts': '',
    '.storybook/main.ts': '',
    'src2/x.ts': '',
  };

  it.each([
    [['src/**'], [], ['src/a.ts', 'src/b/c.md', 'src/b/c.ts']],
    [['src'], [], ['src/a.ts', 'src/b/c.md', 'src/b/c.ts']],
    [['src/'], [], ['src/a.ts', 'src/b/c.md', 'src/b/c.ts']],
    [['**/*.ts'], ['src'], ['.storybook/main.ts', 'lib/d.ts', 'src2/x.ts']],
    [['src/b/*.ts', 'lib/*'], [], ['lib/d.ts', 'src/b/c.ts']],
    [[], ['**/*.ts'], ['src/b/c.md']],
    [[], ['src/b/**', 'src2/**', '.*/**'], ['lib/d.ts', 'src/a.ts']],
  ])('include %j exclude %j', (include, exclude, expected) => {
    expect(filesOf(tree(files), { include, exclude })).toEqual(expected);
  });

  it('mean text where names are not ASCII', () => {
    const root = tree({ 'größe/a.ts': '', 'x/a.ts': '' });
    expect(filesOf(root, { include: ['gr[öo]ße/**'] })).toEqual([encodePath('größe/a.ts')]);
  });
});

describe('where git keeps rules', () => {
  it('reads personal rules from the default place, from core.excludesFile and from XDG_CONFIG_HOME', () => {
    const root = repository({ 'a.one': '', 'a.two': '', 'a.three': '' });
    const home = strangerHome();
    write(home, '.config/git/ignore', '*.one\n');
    expect(filesOf(root)).toEqual(['a.three', 'a.two']);
    write(home, 'own', '*.two\n');
    git(root, 'config', 'core.excludesFile', '~/own');
    expect(filesOf(root)).toEqual(['a.one', 'a.three']);
    git(root, 'config', '--unset', 'core.excludesFile');
    process.env.XDG_CONFIG_HOME = join(home, 'xdg');
    write(home, 'xdg/git/ignore', '*.three\n');
    expect(filesOf(root)).toEqual(['a.one', 'a.two']);
    delete process.env.XDG_CONFIG_HOME;
  });

  it('reads info/exclude of a linked worktree from the common directory, and its own index', () => {
    const root = repository({ 'a.ts': '' });
    git(root, 'add', '.');
    git(root, 'commit', '-qm', 'one');
    write(root, '.git/info/exclude', '*.x\n');
    const linked = join(temporaryDirectory(), 'linked');
    git(root, 'worktree', 'add', '-q', linked);
    write(linked, 'b.x');
    write(linked, 'c.x');
    git(linked, 'add', '-f', 'c.x');
    expect(filesOf(linked)).toEqual(['a.ts', 'c.x']);
  });

  it('reads the rules above a root that lies inside the repository', () => {
    const root = repository({ '.gitignore': '*.x\n/packages/a/gen\n', 'packages/.gitignore': '*.y\n' });
    for (const path of ['a.ts', 'b.x', 'b.y', 'gen/c.ts']) write(root, `packages/a/${path}`);
    expect(filesOf(join(root, 'packages/a'))).toEqual(['a.ts']);
  });

  it('takes a root that the repository around it ignores for a project of its own', () => {
    const home = repository({ '.gitignore': '*\n', 'projects/mine/a.ts': '', 'projects/mine/dist/b.ts': '' });
    expect(filesOf(join(home, 'projects/mine'))).toEqual(['a.ts']);
  });

  it('holds .gitignore without a repository', () => {
    expect(filesOf(tree({ '.gitignore': '*.x\n', 'a.x': '', 'b/.gitignore': '!*.x\n', 'b/a.x': '' }))).toEqual([
      '.gitignore',
      'b/.gitignore',
      'b/a.x',
    ]);
  });

  it('compares without regard to case where git does', () => {
    const root = repository({ '.gitignore': 'Foo\n', foo: '', FOO: '' });
    expect(filesOf(root)).toEqual(['.gitignore', 'FOO', 'foo']);
    git(root, 'config', 'core.ignorecase', 'true');
    expect(filesOf(root)).toEqual(['.gitignore']);
  });

  it('says what is missing when git cannot be asked, and goes on', () => {
    const root = repository({ '.gitignore': '*.x\n', 'a.x': '', 'a.ts': '' });
    const problem = (): string | null => openIgnore(optionsFor(root)).problem();
    expect(problem()).toBeNull();
    write(root, '.git/config', '[core');
    expect(problem()).toMatch(/^git failed: /);
    expect(filesOf(root)).toEqual(['.gitignore', 'a.ts']);
    write(root, '.git/config', '');
    write(root, '.git/HEAD', 'broken');
    expect(problem()).toContain('no repository');
    expect(filesOf(root)).toEqual(['.gitignore', 'a.ts']);
  });
});

describe('changes of the rules', () => {
  it('in the tree are seen by the next scan, and by reload', () => {
    const root = repository({ '.gitignore': '*.x\n', 'b/a.x': '', 'b/a.y': '' });
    const ignore = openIgnore(optionsFor(root));
    const files = (): string[] => scanTree({ root, ignore }).files.map(({ path }) => path);
    expect(files()).toEqual(['.gitignore', 'b/a.y']);
    write(root, '.gitignore', '*.y\n');
    expect(files()).toEqual(['.gitignore', 'b/a.x']);
    write(root, 'b/.gitignore', '*.x\n');
    ignore.reload();
    expect(ignore.ignores('b/a.x', 'file')).toBe(true);
    expect(files()).toEqual(['.gitignore', 'b/.gitignore']);
  });

  it('outside the tree are seen by refresh, which tells whether they matter', () => {
    const root = repository({ '.gitignore': '*.x\n', 'a.x': '', 'a.ts': '' });
    const ignore = openIgnore(optionsFor(root));
    expect(ignore.refresh()).toBe(false);
    git(root, 'add', 'a.ts');
    expect(ignore.refresh()).toBe(false);
    git(root, 'add', '-f', 'a.x');
    expect(ignore.refresh()).toBe(true);
    expect(ignore.ignores('a.x', 'file')).toBe(false);
    write(root, '.git/info/exclude', '*.ts\n');
    expect(ignore.refresh()).toBe(true);
    expect(ignore.ignores('b.ts', 'file')).toBe(true);
  });

  it('follow a repository that comes and goes', () => {
    const root = tree({ 'a.x': '' });
    const ignore = openIgnore(optionsFor(root));
    git(root, 'init', '-q');
    write(root, '.git/info/exclude', '*.x\n');
    expect(ignore.refresh()).toBe(true);
    expect(ignore.ignores('a.x', 'file')).toBe(true);
  });
});

describe('ignores', () => {
  it('answers for what does not exist, by the directories above', () => {
    const ignore = openIgnore(optionsFor(repository({ '.gitignore': 'gen/\n' })));
    expect(ignore.ignores('gen', 'dir')).toBe(true);
    expect(ignore.ignores('gen', 'file')).toBe(false);
    expect(ignore.ignores('gen/a/b/c.ts', 'file')).toBe(true);
    expect(ignore.ignores('node_modules/.package-lock.json', 'file')).toBe(true);
    expect(ignore.ignores('src/new/c.ts', 'file')).toBe(false);
    expect(ignore.ignores('tmp/woods/generation.json', 'file')).toBe(true);
  });
});
