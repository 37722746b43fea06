import { describe, expect, test } from 'vitest';
import { newProject, type Project } from './support/indexed.ts';

const BROKEN = 'export function a( {\n';

function identifiers({ read }: Project): string[] {
  return read((reader) => [...reader.units()].map((unit) => unit.identifier).sort());
}

async function projectWith(files: { readonly [path: string]: string }) {
  const project = newProject(files);
  const indexer = await project.open();
  await indexer.reconcile({ reason: 'full' });
  const save = (path: string, text: string) => {
    project.put(path, text);
    return indexer.update({ paths: new Set([path]), reason: 'incremental' });
  };
  return { project, indexer, save };
}

describe('half-typed files', () => {
  test('keep their last good record and are named; others of the batch are published', async () => {
    const { project, indexer } = await projectWith({ 'a.ts': 'export function a() {}\n', 'b.ts': '' });
    project.put('a.ts', `\n${BROKEN}`);
    project.put('b.ts', 'export const b = 1;\n');
    const result = await indexer.update({ paths: new Set(['a.ts', 'b.ts']), reason: 'incremental' });
    expect(result).toMatchObject({ outcome: 'published', changed: 1 });
    expect(result.held).toEqual([
      { path: 'a.ts', line: expect.any(Number), reason: expect.any(String), since: expect.any(String) },
    ]);
    expect(project.read((reader) => reader.held())).toEqual(result.held);
    expect(identifiers(project)).toEqual(['a.ts', 'a.ts#a', 'b.ts', 'b.ts#b']);
    expect(project.read((reader) => reader.source('a.ts#a'))).toBe('export function a() {}');
  });

  test('are taken in once they parse, and only then', async () => {
    const { project, save } = await projectWith({ 'a.ts': 'export function a() {}\n' });
    const first = await save('a.ts', BROKEN);
    const second = await save('a.ts', `// still\n${BROKEN}`);
    expect(second.held[0]).toMatchObject({ path: 'a.ts', since: first.held[0]?.since });
    expect(second.held[0]?.line).toBeGreaterThan(first.held[0]?.line ?? 0);
    expect(await save('a.ts', 'export function z() {}\n')).toMatchObject({
      outcome: 'published',
      changed: 1,
      held: [],
    });
    expect(identifiers(project)).toEqual(['a.ts', 'a.ts#z']);
  });

  test('that go back to what is published are free again', async () => {
    const { project, save } = await projectWith({ 'a.ts': 'export function a() {}\n' });
    await save('a.ts', BROKEN);
    expect(await save('a.ts', 'export function a() {}\n')).toMatchObject({
      outcome: 'published',
      changed: 0,
      held: [],
    });
    expect(project.read((reader) => reader.held())).toEqual([]);
  });

  test('publish nothing while they stay as they are, for a later process too', async () => {
    const { project, indexer, save } = await projectWith({ 'a.ts': 'export function a() {}\n' });
    const held = await save('a.ts', BROKEN);
    expect(await indexer.reconcile({ reason: 'catch_up' })).toMatchObject({ outcome: 'unchanged', held: held.held });
    const later = await project.open();
    expect(await later.reconcile({ reason: 'catch_up' })).toMatchObject({ outcome: 'unchanged', held: held.held });
    project.put('a.ts', 'export function b() {}\n');
    expect(await later.reconcile({ reason: 'catch_up' })).toMatchObject({ outcome: 'published', held: [] });
  });

  test('are let go when they are deleted or become something else', async () => {
    const { project, indexer, save } = await projectWith({
      'a.ts': 'export function a() {}\n',
      'b.ts': 'export const b = 1;\n',
    });
    await save('a.ts', BROKEN);
    await save('b.ts', BROKEN);
    project.drop('a.ts');
    expect((await indexer.update({ paths: new Set(['a.ts']), reason: 'incremental' })).held).toHaveLength(1);
    await save('b.ts', '\0');
    expect(project.read((reader) => reader.held())).toEqual([]);
    expect(identifiers(project)).toEqual([]);
  });

  test('that never parsed are indexed with what could be recovered', async () => {
    const { project, save } = await projectWith({ 'a.ts': `export const one = 1;\n${BROKEN}` });
    expect(identifiers(project)).toContain('a.ts#one');
    expect(await save('a.ts', `export const two = 1;\n${BROKEN}`)).toMatchObject({ changed: 1, held: [] });
    expect(identifiers(project)).toContain('a.ts#two');
  });

  test('are linked by what is published of them', async () => {
    const { project, indexer, save } = await projectWith({
      'a.ts': "import { b } from './b';\nexport function a() { b(); }\n",
      'b.ts': 'export function b() {}\n',
    });
    await save('b.ts', BROKEN);
    await save('a.ts', "import { b } from './b';\nexport function a2() { b(); }\n");
    expect(project.read((reader) => reader.edgesOf('a.ts#a2').map((edge) => edge.target))).toEqual(['b.ts#b']);
    await indexer.close();
    project.put('a.ts', "import { b } from './b';\nexport function a3() { b(); }\n");
    await (await project.open()).reconcile({ reason: 'catch_up' });
    expect(project.read((reader) => reader.edgesOf('a.ts#a3').map((edge) => edge.target))).toEqual(['b.ts#b']);
  });

  test('are indexed as they are by a run that starts over', async () => {
    const { project, indexer, save } = await projectWith({ 'a.ts': 'export function a() {}\n' });
    await save('a.ts', `export const one = 1;\n${BROKEN}`);
    expect(await indexer.reconcile({ reason: 'full', force: 'all' })).toMatchObject({ held: [] });
    expect(identifiers(project)).toContain('a.ts#one');
  });
});
