/**
 * The differential oracle: whatever happens to a tree, the index that followed it equals one that was made from nothing.
 * Held files are the one difference, so the cold index is made of a copy in which they have their last good contents.
 * WOODS_ORACLE_SEEDS (a list) and WOODS_ORACLE_STEPS replay or lengthen a run.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Indexer, openIndexer, openReader, type RunResult, validateIndex } from '@woods/index';
import { loadConfig } from '@woods/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { layOut, operate } from './operations.ts';
import { type Random, seeded } from './random.ts';
import { copyWith, openTree, type Tree } from './tree.ts';

const SEEDS = (process.env.WOODS_ORACLE_SEEDS ?? '1,2,3').split(',').map(Number);
const STEPS = Number(process.env.WOODS_ORACLE_STEPS ?? 60);

/** Memory where there is some: hundreds of generations are flushed. */
const SCRATCH = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(SCRATCH, 'woods-oracle-'));
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

test.each(SEEDS)('an index that followed the tree equals a cold one (seed %i)', { timeout: 600_000 }, async (seed) => {
  const random = seeded(seed);
  const tree = openTree(join(home, 'tree'));
  layOut(tree, random);
  const indexDir = join(home, 'index');
  let indexer = await open(tree.root, indexDir);
  await indexer.reconcile({ reason: 'full' });
  const good = new Map<string, string>();
  noteGood(good, tree, new Set());

  for (let step = 1; step <= STEPS; step++) {
    const { names, touched } = operate(tree, random);
    if (random.chance(0.1)) indexer = await reopen(indexer, tree.root, indexDir);
    const result = await follow(indexer, touched, random);
    const held = new Set(result.held.map(({ path }) => path));
    const where = `seed ${seed}, step ${step}: ${names.join(', ')} of ${[...touched].join(', ')}`;
    expect(canonical(indexDir), where).toEqual(await coldCanonical(tree, good, held));
    expect(validateIndex(indexDir).findings, where).toEqual([]);
    noteGood(good, tree, held);
  }
  await indexer.close();
});

async function open(root: string, indexDir: string): Promise<Indexer> {
  return openIndexer({ root, indexDir, config: loadConfig({ root, env: { WOODS_OUTPUT: indexDir, HOME: home } }) });
}

async function reopen(indexer: Indexer, root: string, indexDir: string): Promise<Indexer> {
  await indexer.close();
  return open(root, indexDir);
}

/** Most changes are told by their paths; sometimes only a scan finds them. */
function follow(indexer: Indexer, paths: ReadonlySet<string>, random: Random): Promise<RunResult> {
  return random.chance(0.2)
    ? indexer.reconcile({ reason: 'catch_up' })
    : indexer.update({ paths, reason: 'incremental' });
}

/** What held files go back to is what they were when they were last not held. */
function noteGood(good: Map<string, string>, { texts }: Tree, held: ReadonlySet<string>): void {
  for (const [path, text] of texts) if (!held.has(path)) good.set(path, text);
  for (const path of good.keys()) if (!texts.has(path)) good.delete(path);
}

function canonical(indexDir: string): string[] {
  const reader = openReader(indexDir);
  try {
    return [...reader.canonical()];
  } finally {
    reader.close();
  }
}

async function coldCanonical(
  tree: Tree,
  good: ReadonlyMap<string, string>,
  held: ReadonlySet<string>,
): Promise<string[]> {
  const copy = join(home, 'copy');
  copyWith(tree, copy, new Map([...held].map((path) => [path, good.get(path) ?? ''])));
  const indexDir = join(home, 'cold');
  rmSync(indexDir, { recursive: true, force: true });
  const indexer = await open(copy, indexDir);
  await indexer.reconcile({ reason: 'full' });
  await indexer.close();
  return canonical(indexDir);
}
