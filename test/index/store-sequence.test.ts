import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import type { FileBlock } from '../../packages/index/src/model.ts';
import { openReader } from '../../packages/index/src/read/index.ts';
import { createSegmentCache, mergeIfNeeded } from '../../packages/index/src/store/index.ts';
import { rounds } from '../support/rounds.ts';
import { fileBlock, publish, removeIndexDirs, skippedBlock, temporaryIndexDir } from './support/store-blocks.ts';
import { expectSame } from './support/store-model.ts';

afterEach(removeIndexDirs);

const paths = ['a.ts', 'b/b.ts', 'b/c.ts', 'd#d.ts', 'é.ts', 'f.ts', 'g.ts', 'h.ts', 'i/i/i.ts', 'j'];
const names = ['x', 'y', 'Z.m', 'λ'];
const targets = paths.flatMap((path) => [path, ...names.map((name) => `${path}#${name}`)]);

const file = fc.record({
  path: fc.constantFrom(...paths),
  units: fc.subarray(names),
  targets: fc.array(fc.tuple(fc.constantFrom(null, ...names), fc.constantFrom(...targets)), { maxLength: 5 }),
});
const files = fc.uniqueArray(file, { maxLength: 2, selector: ({ path }) => path });
type Step =
  | { kind: string; files: { path: string; units: string[]; targets: [string | null, string][] }[]; removed: string[] }
  | { kind: string; path: string }
  | { kind: string };
const save = fc.record({ kind: fc.constant('save'), files, removed: fc.subarray(paths, { maxLength: 2 }) });
const skip = fc.record({ kind: fc.constant('skip'), path: fc.constantFrom(...paths) });
const merge = fc.record({ kind: fc.constant('merge') });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: save },
  { weight: 1, arbitrary: skip },
  { weight: 3, arbitrary: merge },
);

function toBlock(version: number) {
  return ({ path, units, targets: ends }: { path: string; units: string[]; targets: [string | null, string][] }) =>
    fileBlock(path, { units, version, edges: ends.filter(([from]) => from === null || units.includes(from)) });
}

it('any sequence of publishes and merges reads as a map of the newest blocks', { timeout: 240_000 }, async () => {
  const merged = { prepared: 0, taken: 0 };
  const run = async (steps: Step[]) => {
    const indexDir = temporaryIndexDir();
    const cache = createSegmentCache();
    const reader = openReader(indexDir);
    const model = new Map<string, FileBlock>();
    // Next to a large first segment only the small ones are merged, otherwise all.
    if (steps.length % 2 === 0) model.set('base.txt', fileBlock('base.txt', { source: 'x'.repeat(60_000) }));
    for (const path of steps.length % 2 === 0 ? paths : []) model.set(path, fileBlock(path, { units: ['x'] }));
    await publish(indexDir, [...model.values()]);
    for (const [version, one] of steps.entries()) {
      if (one.kind === 'merge') {
        if ((await mergeIfNeeded({ indexDir, cache, maxSegments: 2 })) > 0) merged.prepared += 1;
        continue;
      }
      const removed = 'removed' in one ? one.removed : [];
      const blocks =
        'path' in one ? [skippedBlock(one.path, 'binary')] : 'files' in one ? one.files.map(toBlock(version)) : [];
      // A path that is removed and saved in one publish is there.
      for (const path of removed) model.delete(path);
      for (const block of blocks) model.set(block.input.path, block);
      await publish(indexDir, blocks, version % 2 === 0 ? { removed, cache } : { removed });
      if (reader.manifest().segments.some(({ name }) => name.startsWith('m'))) merged.taken += 1;
      if (version % 4 === 0) expectSame(indexDir, reader, model);
    }
    expectSame(indexDir, reader, model);
    const kept = Math.min(3, reader.generation().number);
    expect(readdirSync(join(indexDir, 'payloads'))).toHaveLength(kept);
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 45 }), run), {
    numRuns: rounds({ ci: 6, soak: 200 }),
  });
  expect(merged.prepared).toBeGreaterThan(0);
  expect(merged.taken).toBeGreaterThan(0);
});
