import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { newProject, type Project } from './support/indexed.ts';

const FILES = { 'a.ts': 'export const a = 1;\n' };

function git({ root }: Project, ...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', ['-C', root, ...identity, ...args], { encoding: 'utf8' }).trim();
}

function committed(): Project {
  const project = newProject(FILES);
  git(project, 'init', '-q', '-b', 'main');
  git(project, 'add', '.');
  git(project, 'commit', '-qm', 'first');
  return project;
}

function state({ read }: Project) {
  return read((reader) => reader.manifest().git);
}

describe('what git says of the tree', () => {
  test('commit, branch and whether there are changes stand in the generation', async () => {
    const project = committed();
    const indexer = await project.open();
    await indexer.reconcile({ reason: 'full' });
    expect(state(project)).toEqual({ sha: git(project, 'rev-parse', 'HEAD'), branch: 'main', dirty: false });
    project.put('a.ts', 'export const b = 1;\n');
    await indexer.update({ paths: new Set(['a.ts']), reason: 'incremental' });
    expect(state(project)).toMatchObject({ branch: 'main', dirty: true });
  });

  test('a commit or another branch without any change of a file is a generation of its own', async () => {
    const project = committed();
    const indexer = await project.open();
    await indexer.reconcile({ reason: 'full' });
    git(project, 'commit', '-qm', 'second', '--allow-empty');
    expect(await indexer.update({ paths: new Set(), reason: 'commit' })).toMatchObject({
      outcome: 'published',
      changed: 0,
    });
    expect(state(project)).toMatchObject({ sha: git(project, 'rev-parse', 'HEAD') });
    git(project, 'switch', '-qc', 'topic');
    await indexer.update({ paths: new Set(), reason: 'commit' });
    expect(state(project)).toMatchObject({ branch: 'topic', dirty: false });
    expect(await indexer.update({ paths: new Set(), reason: 'commit' })).toMatchObject({ outcome: 'unchanged' });
  });

  test('there is none without a repository or a commit', async () => {
    const project = newProject(FILES);
    await (await project.open()).reconcile({ reason: 'full' });
    expect(state(project)).toBeNull();
    git(project, 'init', '-q');
    await (await project.open()).reconcile({ reason: 'catch_up' });
    expect(state(project)).toBeNull();
  });
});

describe('records', () => {
  /** Runs the built indexer in a process of its own; tells whether it has loaded the parser. */
  function indexInProcess(root: string, indexDir: string, then: 'close' | 'prepare' = 'close'): string {
    const index = fileURLToPath(new URL('../../packages/index/dist/index.js', import.meta.url));
    const protocol = fileURLToPath(new URL('../../packages/protocol/dist/index.js', import.meta.url));
    const script = `
      const { openIndexer } = await import(${JSON.stringify(index)});
      const { loadConfig } = await import(${JSON.stringify(protocol)});
      const [root, indexDir, then] = process.argv.slice(1);
      const config = loadConfig({ root, env: { WOODS_OUTPUT: indexDir, HOME: root } });
      const indexer = await openIndexer({ root, indexDir, config });
      await indexer.reconcile({ reason: 'full' });
      if (then === 'prepare') await indexer.prepare();
      await indexer.close();
      const { createRequire } = await import('node:module');
      const loaded = Object.keys(createRequire(import.meta.url).cache).some((path) => path.endsWith('/typescript.js'));
      console.log(loaded ? 'parsed' : 'nothing parsed');`;
    return execFileSync(process.execPath, ['--input-type=module', '-e', script, root, indexDir, then], {
      encoding: 'utf8',
    }).trim();
  }

  test('a second worktree parses nothing that the first one parsed, nor does a start without changes', () => {
    const project = committed();
    expect(indexInProcess(project.root, project.indexDir)).toBe('parsed');
    expect(existsSync(join(project.root, '.git/woods/records'))).toBe(true);
    expect(indexInProcess(project.root, project.indexDir)).toBe('nothing parsed');
    const second = `${project.root}-second`;
    git(project, 'worktree', 'add', '-q', second);
    expect(indexInProcess(second, `${project.indexDir}-second`)).toBe('nothing parsed');
  });

  test('after a start that linked and parsed nothing the parser is made ready too, so no save waits for it', () => {
    const project = committed();
    project.put('b.ts', 'export const b = 1;\n');
    expect(indexInProcess(project.root, project.indexDir)).toBe('parsed');
    rmSync(join(project.root, 'b.ts'));
    expect(indexInProcess(project.root, project.indexDir, 'prepare')).toBe('parsed');
  });
});
