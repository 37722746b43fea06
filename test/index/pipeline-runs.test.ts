import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type RunResult, validateIndex } from '@woods/index';
import { describe, expect, test } from 'vitest';
import { newProject, type Project } from './support/indexed.ts';

const FILES = {
  'package.json': '{"name": "app"}',
  'src/a.ts': "import { b } from './b';\nexport function a() { b(); }\n",
  'src/b.ts': 'export function b() {}\n',
  'README.md': '# App\n',
};

function identifiers({ read }: Project): string[] {
  return read((reader) => [...reader.units()].map((unit) => unit.identifier).sort());
}

function reasons({ read }: Project): { [path: string]: string | null } {
  return read((reader) => Object.fromEntries(reader.skipped().map(({ path, skipped }) => [path, skipped])));
}

function outcome({ outcome: what, pointer, changed, removed }: RunResult) {
  return { what, generation: pointer?.number, changed, removed };
}

describe('reconcile', () => {
  test('a cold run publishes everything', async () => {
    const project = newProject(FILES);
    const result = await (await project.open()).reconcile({ reason: 'full' });
    expect(result).toMatchObject({
      outcome: 'published',
      files: 3,
      skipped: 1,
      changed: 3,
      removed: 0,
      held: [],
      reload: 'none',
    });
    expect(identifiers(project)).toEqual(['package.json', 'src/a.ts', 'src/a.ts#a', 'src/b.ts', 'src/b.ts#b']);
    expect(project.read((reader) => reader.source('src/b.ts#b'))).toBe('export function b() {}');
    expect(validateIndex(project.indexDir).findings).toEqual([]);
  });

  test('the phases add up to the duration', async () => {
    const { phases, durationMs } = await (await newProject(FILES).open()).reconcile({ reason: 'full' });
    expect(phases.reduce((sum, [, milliseconds]) => sum + milliseconds, 0)).toBeCloseTo(durationMs, 5);
    expect(phases.map(([name]) => name)).toEqual(expect.arrayContaining(['scan', 'read', 'record', 'link', 'publish']));
  });

  test('an empty tree has an index too', async () => {
    const project = newProject();
    const indexer = await project.open();
    expect(outcome(await indexer.reconcile({ reason: 'full' }))).toMatchObject({ what: 'published', generation: 1 });
    expect(outcome(await indexer.reconcile({ reason: 'full' }))).toMatchObject({ what: 'unchanged', generation: 1 });
  });

  test('a later process finds changes, new files and deletions by their stamps', async () => {
    const project = newProject(FILES);
    await (await project.open()).reconcile({ reason: 'full' });
    expect(outcome(await (await project.open()).reconcile({ reason: 'catch_up' }))).toEqual({
      what: 'unchanged',
      generation: 1,
      changed: 0,
      removed: 0,
    });
    project.put('src/a.ts', 'export const a = 1;\n');
    project.put('src/c.ts', 'export const c = 1;\n');
    project.drop('src/b.ts');
    expect(outcome(await (await project.open()).reconcile({ reason: 'catch_up' }))).toEqual({
      what: 'published',
      generation: 2,
      changed: 2,
      removed: 1,
    });
    expect(identifiers(project)).toEqual(['package.json', 'src/a.ts', 'src/a.ts#a', 'src/c.ts', 'src/c.ts#c']);
    expect(validateIndex(project.indexDir).findings).toEqual([]);
  });

  test('a file of the same size and time is told apart', async () => {
    const project = newProject({ 'a.ts': 'export const one = 1;\n' });
    const indexer = await project.open();
    await indexer.reconcile({ reason: 'full' });
    project.put('a.ts', 'export const two = 1;\n');
    expect(outcome(await indexer.reconcile({ reason: 'catch_up' }))).toMatchObject({ what: 'published', changed: 1 });
    expect(identifiers(project)).toContain('a.ts#two');
  });

  test('a file that was only touched publishes nothing, and later processes do not read it again', async () => {
    const project = newProject(FILES);
    await (await project.open()).reconcile({ reason: 'full' });
    utimesSync(join(project.root, 'src/a.ts'), 1, 1);
    expect(outcome(await (await project.open()).reconcile({ reason: 'catch_up' }))).toMatchObject({
      what: 'unchanged',
    });
    expect(readdirSync(project.indexDir)).toContain('touched.json');
    const { phases } = await (await project.open()).reconcile({ reason: 'catch_up' });
    expect(phases.map(([name]) => name)).not.toContain('read');
    project.put('src/b.ts', 'export function b() { return 2 }\n');
    await (await project.open()).reconcile({ reason: 'catch_up' });
    expect(identifiers(project)).toContain('src/a.ts#a');
    expect(validateIndex(project.indexDir).findings).toEqual([]);
  });

  test('files that nothing here reads change without a generation', async () => {
    const project = newProject(FILES);
    const indexer = await project.open();
    await indexer.reconcile({ reason: 'full' });
    project.put('README.md', '# Other\n');
    project.put('notes.txt', 'new');
    expect(outcome(await indexer.reconcile({ reason: 'catch_up' }))).toMatchObject({
      what: 'unchanged',
      generation: 1,
    });
    project.put('src/b.ts', 'export const b2 = 1;\n');
    await indexer.update({ paths: new Set(['src/b.ts']), reason: 'incremental' });
    expect(Object.keys(reasons(project)).sort()).toEqual(['README.md', 'notes.txt']);
  });

  test('everything is looked at again when it is forced', async () => {
    const project = newProject(FILES);
    const indexer = await project.open();
    await indexer.reconcile({ reason: 'full' });
    const before = identifiers(project);
    expect(outcome(await indexer.reconcile({ reason: 'full', force: 'all' }))).toMatchObject({
      what: 'published',
      generation: 2,
      changed: 3,
    });
    expect(identifiers(project)).toEqual(before);
  });

  test('a payload that is gone counts as no index', async () => {
    const project = newProject(FILES);
    const indexer = await project.open();
    await indexer.reconcile({ reason: 'full' });
    rmSync(join(project.indexDir, 'payloads'), { recursive: true });
    const result = await indexer.update({ paths: new Set(['src/a.ts']), reason: 'incremental' });
    expect(result).toMatchObject({ outcome: 'published', files: 3, changed: 3 });
    expect(validateIndex(project.indexDir).findings).toEqual([]);
  });

  test('what another writer published in between is built upon', async () => {
    const project = newProject(FILES);
    const [one, other] = [await project.open(), await project.open()];
    await one.reconcile({ reason: 'full' });
    project.put('src/c.ts', 'export const c = 1;\n');
    await other.reconcile({ reason: 'full' });
    project.put('src/d.ts', 'export const d = 1;\n');
    await one.update({ paths: new Set(['src/d.ts']), reason: 'incremental' });
    expect(identifiers(project)).toEqual(expect.arrayContaining(['src/c.ts#c', 'src/d.ts#d']));
  });

  test('preparing publishes nothing, and the next change finds what it needs', async () => {
    const project = newProject(FILES);
    await (await project.open()).reconcile({ reason: 'full' });
    const indexer = await project.open();
    await indexer.prepare();
    await indexer.reconcile({ reason: 'catch_up' });
    await indexer.prepare();
    expect(project.read((reader) => reader.generation().number)).toBe(1);
    project.put('src/b.ts', 'export const c = 1;\n');
    expect(await indexer.update({ paths: new Set(['src/b.ts']), reason: 'incremental' })).toMatchObject({ changed: 1 });
    expect(project.read((reader) => reader.edgesOf('src/a.ts#a'))).toEqual([]);
  });

  test('a root that is gone is no empty tree', async () => {
    const project = newProject(FILES);
    const indexer = await project.open();
    await indexer.reconcile({ reason: 'full' });
    project.drop('.');
    await expect(indexer.reconcile({ reason: 'catch_up' })).rejects.toThrow(/root/);
    expect(identifiers(project)).toHaveLength(5);
  });
});

describe('update', () => {
  test('takes in what became of the paths, and leaves the rest', async () => {
    const project = newProject(FILES);
    const indexer = await project.open();
    await indexer.reconcile({ reason: 'full' });
    project.put('src/a.ts', 'export const a = 1;\n');
    project.put('src/other.ts', 'export const other = 1;\n');
    const result = await indexer.update({ paths: new Set(['./src/a.ts', 'src/none.ts']), reason: 'incremental' });
    expect(outcome(result)).toEqual({ what: 'published', generation: 2, changed: 1, removed: 0 });
    expect(identifiers(project)).not.toContain('src/other.ts');
  });

  test('without a change there is no generation', async () => {
    const project = newProject(FILES);
    const indexer = await project.open();
    await indexer.reconcile({ reason: 'full' });
    project.put('src/a.ts', FILES['src/a.ts']);
    expect(outcome(await indexer.update({ paths: new Set(['src/a.ts']), reason: 'incremental' }))).toMatchObject({
      what: 'unchanged',
      generation: 1,
    });
    expect(outcome(await indexer.update({ paths: new Set(), reason: 'incremental' }))).toMatchObject({
      what: 'unchanged',
    });
  });

  test('a directory stands for everything below it, also when it is gone or has become a file', async () => {
    const project = newProject({ ...FILES, 'lib/x.ts': 'export const x = 1;', 'lib/deep/y.ts': 'export const y = 1;' });
    const indexer = await project.open();
    await indexer.reconcile({ reason: 'full' });
    project.put('new/z.ts', 'export const z = 1;');
    project.drop('lib');
    expect(outcome(await indexer.update({ paths: new Set(['new', 'lib']), reason: 'incremental' }))).toMatchObject({
      changed: 1,
      removed: 2,
    });
    project.drop('src');
    project.put('src', 'a file now');
    expect(outcome(await indexer.update({ paths: new Set(['src']), reason: 'incremental' }))).toMatchObject({
      removed: 2,
    });
    expect(identifiers(project)).toEqual(['new/z.ts', 'new/z.ts#z', 'package.json']);
  });

  test('before there is an index it is a cold run', async () => {
    const project = newProject(FILES);
    const result = await (await project.open()).update({ paths: new Set(['src/a.ts']), reason: 'incremental' });
    expect(result).toMatchObject({ outcome: 'published', files: 3 });
  });

  test('files whose edges changed are published with their text', async () => {
    const project = newProject(FILES);
    const indexer = await project.open();
    await indexer.reconcile({ reason: 'full' });
    const callers = () => project.read((reader) => reader.edgesOf('src/a.ts#a').map((edge) => edge.target));
    expect(callers()).toEqual(['src/b.ts#b']);
    project.put('src/b.ts', 'export const other = 1;\n');
    await indexer.update({ paths: new Set(['src/b.ts']), reason: 'incremental' });
    expect(callers()).toEqual([]);
    expect(project.read((reader) => reader.source('src/a.ts#a'))).toBe('export function a() { b(); }');
    project.put('src/b.ts', FILES['src/b.ts']);
    await (await project.open()).reconcile({ reason: 'catch_up' });
    expect(callers()).toEqual(['src/b.ts#b']);
  });

  test('a change of tsconfig or package.json moves what specifiers lead to', async () => {
    const project = newProject({
      'tsconfig.json': '{"compilerOptions": {"paths": {"@/*": ["./one/*"]}}}',
      'packages/p/package.json': '{"name": "p", "main": "./dist/x.js"}',
      'packages/p/src/x.ts': '',
      'packages/p/src/y.ts': '',
      'one/z.ts': '',
      'two/z.ts': '',
      'a.ts': "import '@/z'; import 'p';",
    });
    const indexer = await project.open();
    await indexer.reconcile({ reason: 'full' });
    const imports = () =>
      project.read((reader) =>
        reader
          .edgesOf('a.ts')
          .map((edge) => edge.target)
          .sort(),
      );
    expect(imports()).toEqual(['one/z.ts', 'packages/p/src/x.ts']);
    project.put('tsconfig.json', '{"compilerOptions": {"paths": {"@/*": ["./two/*"]}}}');
    await indexer.update({ paths: new Set(['tsconfig.json']), reason: 'incremental' });
    expect(imports()).toEqual(['packages/p/src/x.ts', 'two/z.ts']);
    project.put('packages/p/package.json', '{"name": "p", "main": "./dist/y.js"}');
    await (await project.open()).reconcile({ reason: 'catch_up' });
    expect(imports()).toEqual(['packages/p/src/y.ts', 'two/z.ts']);
  });

  test('so does a change of a file that a tsconfig extends, whatever it is called', async () => {
    const paths = (directory: string) => `{"compilerOptions": {"paths": {"@/*": ["../${directory}/*"]}}}`;
    const project = newProject({
      'tsconfig.json': '{"extends": "./config/shared.json"}',
      'config/shared.json': paths('one'),
      'one/z.ts': '',
      'two/z.ts': '',
      'a.ts': "import '@/z';",
    });
    const indexer = await project.open();
    await indexer.reconcile({ reason: 'full' });
    const imports = () => project.read((reader) => reader.edgesOf('a.ts').map((edge) => edge.target));
    project.put('config/shared.json', paths('two'));
    await indexer.update({ paths: new Set(['config/shared.json']), reason: 'incremental' });
    expect(imports()).toEqual(['two/z.ts']);
    project.put('config/shared.json', paths('one'));
    await (await project.open()).reconcile({ reason: 'catch_up' });
    expect(imports()).toEqual(['one/z.ts']);
  });

  test.each(['/etc/passwd', '../x', 'a/../../x'])('%s is refused', async (path) => {
    const indexer = await newProject(FILES).open();
    await expect(indexer.update({ paths: new Set([path]), reason: 'incremental' })).rejects.toThrow(/below the root/);
  });
});

describe('what belongs to the tree', () => {
  test('each skipped file says why', async () => {
    const project = newProject({ 'empty.ts': '', 'large.ts': '/'.repeat(1_048_577), 'x.unknown': '' });
    project.put('binary.ts', Buffer.from([0x47, 0, 1, 2]));
    project.put('latin.ts', Buffer.from([0x2f, 0x2f, 0xe9]));
    symlinkSync('empty.ts', join(project.root, 'link.ts'));
    execFileSync('mkfifo', [join(project.root, 'fifo.ts')]);
    await (await project.open()).reconcile({ reason: 'full' });
    expect(reasons(project)).toEqual({
      'binary.ts': 'binary',
      'fifo.ts': 'not a regular file',
      'large.ts': 'larger than maxFileBytes (1048576)',
      'latin.ts': 'not UTF-8',
      'link.ts': 'symbolic link',
      'x.unknown': 'no extractor for this kind of file',
    });
    expect(identifiers(project)).toEqual(['empty.ts']);
  });

  test('a source that becomes binary loses its units, and gets them back', async () => {
    const project = newProject(FILES);
    const indexer = await project.open();
    await indexer.reconcile({ reason: 'full' });
    project.put('src/b.ts', Buffer.from([0, 0]));
    await indexer.update({ paths: new Set(['src/b.ts']), reason: 'incremental' });
    expect(identifiers(project)).toEqual(['package.json', 'src/a.ts', 'src/a.ts#a']);
    expect(validateIndex(project.indexDir).findings).toEqual([]);
    project.put('src/b.ts', FILES['src/b.ts']);
    await indexer.update({ paths: new Set(['src/b.ts']), reason: 'incremental' });
    expect(identifiers(project)).toContain('src/b.ts#b');
  });

  test('a changed ignore file takes files out and in, and says so', async () => {
    const project = newProject(FILES);
    const indexer = await project.open();
    await indexer.reconcile({ reason: 'full' });
    project.put('.woodsignore', 'src/b.ts\n');
    const result = await indexer.update({ paths: new Set(['.woodsignore']), reason: 'incremental' });
    expect(result).toMatchObject({ outcome: 'published', removed: 1, reload: 'ignore_rules' });
    expect(identifiers(project)).not.toContain('src/b.ts');
    project.drop('.woodsignore');
    await indexer.update({ paths: new Set(['.woodsignore']), reason: 'incremental' });
    expect(identifiers(project)).toContain('src/b.ts');
  });

  test('languages that are turned off are skipped; an unknown one is an error', async () => {
    const project = newProject({ ...FILES, 'woods.json': '{"languages": ["javascript"]}', 'x.js': '' });
    await (await project.open()).reconcile({ reason: 'full' });
    expect(identifiers(project)).toEqual(['x.js']);
    project.put('woods.json', '{"languages": ["cobol"]}');
    await expect(project.open()).rejects.toThrow(/"cobol".*typescript/);
    project.put('woods.json', '{}');
    expect(await (await project.open()).reconcile({ reason: 'catch_up' })).toMatchObject({
      outcome: 'published',
      files: 4,
    });
  });
});
