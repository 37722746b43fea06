/** Things of the wrong kind, or nothing at all, where the index has its files. */
import { mkdirSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadConfig } from '@woods/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { type Indexer, openIndexer } from '../../packages/index/src/index.ts';
import { validateIndex } from '../../packages/index/src/validate/index.ts';
import { fileBlock, publish, removeIndexDirs, temporaryIndexDir } from './support/store-blocks.ts';

afterEach(removeIndexDirs);

describe('a publish into an index directory with something in its way', () => {
  it.each(['gen-2', 'gen-3'])('replaces a file that is called like the payload %s', async (name) => {
    const indexDir = temporaryIndexDir();
    await publish(indexDir, [fileBlock('a.ts')]);
    writeFileSync(join(indexDir, 'payloads', name), '');
    expect((await publish(indexDir, [fileBlock('b.ts')])).pointer.number).toBe(2);
    expect(validateIndex(indexDir).findings).toEqual([]);
    expect(readdirSync(join(indexDir, 'payloads'))).toEqual(['gen-1', 'gen-2']);
  });

  it.each([
    { name: 'payloads', place: (path: string) => writeFileSync(path, ''), is: 'a directory, but it is a file' },
    { name: 'generation.json', place: (path: string) => mkdirSync(path), is: 'a file, but it is a directory' },
  ])('names $name, what it must be and what to do', async ({ name, place, is }) => {
    const indexDir = temporaryIndexDir();
    await publish(indexDir, [fileBlock('a.ts')]);
    const path = join(indexDir, name);
    rmSync(path, { recursive: true });
    place(path);
    await expect(publish(indexDir, [fileBlock('b.ts')])).rejects.toMatchObject({
      name: 'UsageError',
      message: `${path} must be ${is}; remove it`,
    });
  });
});

describe('a generation that has lost a file', () => {
  const losses: readonly [string, (payload: string, name: RegExp) => void][] = [
    ['is gone', (payload, name) => rmSync(join(payload, nameIn(payload, name)))],
    ['is cut short', (payload, name) => truncateSync(join(payload, nameIn(payload, name)), 1)],
  ];
  const cases = [/\.bodies$/, /\.seg$/, /^manifest\.json$/].flatMap((name) =>
    losses.map(([what, lose]) => ({ name, what, lose })),
  );

  it.each(cases)('counts as none at the next start: $name $what', async ({ name, lose }) => {
    const { root, indexDir } = smallTree();
    await withIndexer(root, indexDir, (indexer) => indexer.reconcile({ reason: 'full' }));
    lose(join(indexDir, 'payloads', 'gen-1'), name);
    expect(validateIndex(indexDir).findings).not.toEqual([]);
    const result = await withIndexer(root, indexDir, (indexer) => indexer.reconcile({ reason: 'catch_up' }));
    expect(result).toMatchObject({ outcome: 'published', changed: 2 });
    expect(validateIndex(indexDir)).toEqual({ findings: [], generation: 2 });
  });

  it.each([/\.bodies$/, /\.seg$/, /^manifest\.json$/])('counts as none while its writer lives: %s', async (name) => {
    const { root, indexDir } = smallTree();
    await withIndexer(root, indexDir, async (indexer) => {
      await indexer.reconcile({ reason: 'full' });
      const payload = join(indexDir, 'payloads', 'gen-1');
      renameSync(join(payload, nameIn(payload, name)), join(dirname(indexDir), 'lost'));
      const result = await indexer.update({ paths: new Set(['a.ts']), reason: 'incremental' });
      expect(result).toMatchObject({ outcome: 'published', changed: 2 });
      expect(validateIndex(indexDir).findings).toEqual([]);
    });
  });
});

function nameIn(payload: string, pattern: RegExp): string {
  return readdirSync(payload).find((name) => pattern.test(name)) ?? 'none';
}

function smallTree(): { root: string; indexDir: string } {
  const indexDir = temporaryIndexDir();
  const root = join(dirname(indexDir), 'tree');
  mkdirSync(root);
  writeFileSync(join(root, 'a.ts'), 'export const a = 1;\n');
  writeFileSync(join(root, 'b.ts'), "import { a } from './a';\nexport const b = a;\n");
  return { root, indexDir };
}

async function withIndexer<T>(root: string, indexDir: string, work: (indexer: Indexer) => Promise<T>): Promise<T> {
  const config = loadConfig({ root, env: { WOODS_OUTPUT: indexDir, HOME: dirname(indexDir) } });
  const indexer = await openIndexer({ root, indexDir, config });
  try {
    return await work(indexer);
  } finally {
    await indexer.close();
  }
}
