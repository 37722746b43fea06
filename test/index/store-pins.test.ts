import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { openReader } from '../../packages/index/src/read/index.ts';
import { endAll, start } from '../support/running.ts';
import { fileBlock, publish, removeIndexDirs, temporaryIndexDir } from './support/store-blocks.ts';

const CHILD = fileURLToPath(new URL('support/store-child.mjs', import.meta.url));

afterEach(() => {
  endAll();
  removeIndexDirs();
});

const payloads = (indexDir: string) => readdirSync(join(indexDir, 'payloads')).sort();
const save = (indexDir: string, version: number) =>
  publish(indexDir, [fileBlock('src/file0.ts', { source: 'x'.repeat(version) })]);
const pinner = (indexDir: string) => start(process.execPath, [CHILD, 'pin', indexDir], { cwd: dirname(indexDir) });

it('a generation that another process pins outlives its time, whole, and goes when it is let go', async () => {
  const indexDir = temporaryIndexDir();
  await save(indexDir, 7);
  const child = pinner(indexDir);
  expect(await child.line(/pinned/)).toBe('pinned 1');
  for (let version = 8; version < 14; version += 1) await save(indexDir, version);
  expect(payloads(indexDir)).toEqual(['gen-1', 'gen-5', 'gen-6', 'gen-7']);
  child.signal('SIGTERM');
  expect(await child.line(/reads/)).toBe('reads 7');
  await child.line(/let go/);
  await child.exit;
  await save(indexDir, 14);
  expect(payloads(indexDir)).toEqual(['gen-6', 'gen-7', 'gen-8']);
});

it('a pin of a killed process holds nothing', async () => {
  const indexDir = temporaryIndexDir();
  await save(indexDir, 7);
  const child = pinner(indexDir);
  await child.line(/pinned/);
  child.signal('SIGKILL');
  await child.exit;
  for (let version = 8; version < 11; version += 1) await save(indexDir, version);
  expect(existsSync(join(indexDir, 'payloads/gen-1'))).toBe(false);
});

it('a pin holds in the same process too, for as long as a promise takes, and while it fails', async () => {
  const indexDir = temporaryIndexDir();
  await save(indexDir, 7);
  const reader = openReader(indexDir);
  const failing = reader.pinned(async (queries, hold) => {
    expect(hold).toEqual({ state: 'pinned' });
    for (let version = 8; version < 12; version += 1) await save(indexDir, version);
    expect(queries.generation().number).toBe(1);
    expect(queries.source('src/file0.ts')).toHaveLength(7);
    expect(reader.generation().number).toBe(5);
    expect(reader.source('src/file0.ts')).toHaveLength(11);
    throw new Error('the reader failed');
  });
  await expect(failing).rejects.toThrow('the reader failed');
  expect(payloads(indexDir)).toContain('gen-1');
  expect(() =>
    reader.pinned(() => {
      throw new Error('at once');
    }),
  ).toThrow('at once');
  await save(indexDir, 12);
  expect(payloads(indexDir)).toEqual(['gen-4', 'gen-5', 'gen-6']);
});

it('the rest of an interrupted removal is removed, and names that are no generation stay', async () => {
  const indexDir = temporaryIndexDir();
  for (let version = 1; version < 6; version += 1) await save(indexDir, version);
  mkdirSync(join(indexDir, 'payloads/gen-2'));
  writeFileSync(join(indexDir, 'payloads/gen-2/s2.bodies'), '');
  mkdirSync(join(indexDir, 'payloads/gen-007'));
  await save(indexDir, 6);
  expect(payloads(indexDir)).toEqual(['gen-007', 'gen-4', 'gen-5', 'gen-6']);
});

it('a pinned generation whose pointer was lost is not taken for a leftover', async () => {
  const indexDir = temporaryIndexDir();
  await save(indexDir, 7);
  const reader = openReader(indexDir);
  await reader.pinned(async (queries) => {
    rmSync(join(indexDir, 'generation.json'));
    const { pointer } = await save(indexDir, 8);
    expect(pointer.number).toBe(2);
    expect(queries.source('src/file0.ts')).toHaveLength(7);
  });
});
