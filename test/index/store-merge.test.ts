import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReader } from '../../packages/index/src/read/index.ts';
import { planMerge, type SegmentWeight } from '../../packages/index/src/store/generation/merge-plan.ts';
import {
  acquireWriterLock,
  createSegmentCache,
  mergeIfNeeded,
  mergeWhenFree,
} from '../../packages/index/src/store/index.ts';
import { validateIndex } from '../../packages/index/src/validate/index.ts';
import { fileBlock, publish, removeIndexDirs, temporaryIndexDir } from './support/store-blocks.ts';

let indexDir = '';

beforeEach(() => {
  indexDir = temporaryIndexDir();
});
afterEach(removeIndexDirs);

const segmentNames = () =>
  openReader(indexDir)
    .manifest()
    .segments.map(({ name }) => name.replace(/-.*/, ''));
const paths = () =>
  openReader(indexDir)
    .files()
    .map(({ path }) => path);

/** A large segment and then one for each of these. */
async function publishApart(names: readonly string[]): Promise<void> {
  const base = fileBlock('base.ts', { source: 'x'.repeat(100_000) });
  await publish(indexDir, [base, fileBlock('dead.ts'), fileBlock('back.ts')]);
  for (const name of names) await publish(indexDir, [fileBlock(name)]);
}

describe('a merge', () => {
  it('takes the small segments for one, and the next publish puts it in their place', async () => {
    await publishApart(['a.ts', 'b.ts', 'c.ts']);
    const before = readFileSync(join(indexDir, 'generation.json'), 'utf8');
    expect(await mergeIfNeeded({ indexDir, maxSegments: 3 })).toBe(3);
    expect(readFileSync(join(indexDir, 'generation.json'), 'utf8')).toBe(before);
    expect(segmentNames()).toEqual(['s1', 's2', 's3', 's4']);
    await publish(indexDir, [fileBlock('d.ts')]);
    expect(segmentNames()).toEqual(['s1', 'm4', 's5']);
    expect(existsSync(join(indexDir, 'merge'))).toBe(false);
    expect(validateIndex(indexDir).findings).toEqual([]);
    expect(paths()).toEqual(['a.ts', 'b.ts', 'back.ts', 'base.ts', 'c.ts', 'd.ts', 'dead.ts']);
  });

  it('goes on deleting what it deleted from the segments before it, and nothing that came back', async () => {
    await publishApart(['a.ts']);
    await publish(indexDir, [], { removed: ['dead.ts', 'back.ts'] });
    await publish(indexDir, [fileBlock('back.ts', { version: 2 })]);
    expect(await mergeIfNeeded({ indexDir, maxSegments: 3 })).toBe(3);
    await publish(indexDir, []);
    expect(segmentNames()).toEqual(['s1', 'm4']);
    expect(paths()).toEqual(['a.ts', 'back.ts', 'base.ts']);
    expect(openReader(indexDir).unit('back.ts')?.signature).toBe('const null 2');
    expect(validateIndex(indexDir).findings).toEqual([]);
  });

  it('waits for a publish also when one came in between', async () => {
    await publishApart(['a.ts', 'b.ts', 'c.ts']);
    await mergeIfNeeded({ indexDir, maxSegments: 3 });
    expect(await mergeIfNeeded({ indexDir, maxSegments: 3 })).toBe(3);
    expect(readdirSync(join(indexDir, 'merge'))).toHaveLength(3);
    await publish(indexDir, [fileBlock('a.ts', { version: 1 })]);
    expect(segmentNames()).toEqual(['s1', 'm4', 's5']);
    expect(openReader(indexDir).unit('a.ts')?.signature).toBe('const null 1');
  });

  it('is not made where all is well', async () => {
    await publishApart(['a.ts']);
    expect(await mergeIfNeeded({ indexDir })).toBe(0);
    expect(existsSync(join(indexDir, 'merge'))).toBe(false);
  });

  it('of everything is made when most of it is garbage', async () => {
    const source = 'x'.repeat(200_000);
    await publish(
      indexDir,
      ['a.ts', 'b.ts', 'c.ts'].map((path) => fileBlock(path, { source })),
    );
    await publish(indexDir, [fileBlock('b.ts')]);
    expect(await mergeIfNeeded({ indexDir })).toBe(0);
    await publish(indexDir, [fileBlock('c.ts')]);
    expect(await mergeIfNeeded({ indexDir })).toBe(3);
    await publish(indexDir, []);
    expect(segmentNames()).toHaveLength(1);
    expect(openReader(indexDir).stats().bytes).toBeLessThan(250_000);
    expect(validateIndex(indexDir).findings).toEqual([]);
  });

  it('that waits for segments that are no more is removed', async () => {
    await publishApart(['a.ts', 'b.ts', 'c.ts']);
    await mergeIfNeeded({ indexDir, maxSegments: 3 });
    await publish(indexDir, [fileBlock('only.ts')], { previous: null });
    await publish(indexDir, [fileBlock('next.ts')]);
    expect(segmentNames()).toEqual(['s5', 's6']);
    expect(existsSync(join(indexDir, 'merge'))).toBe(false);
  });

  it.each([
    ['nothing', null],
    ['half a line', '{"covers":'],
    ['a list', '[]'],
    ['no segment', '{"covers":["a"]}'],
    ['names that are none', '{"covers":[1],"segment":{"name":"a","bytes":1,"sha256":"","bodies_bytes":0}}'],
  ])('that says %s is a leftover', async (_, plan) => {
    await publishApart([]);
    mkdirSync(join(indexDir, 'merge'));
    if (plan !== null) writeFileSync(join(indexDir, 'merge/merge.json'), plan);
    await publish(indexDir, [fileBlock('a.ts')]);
    expect(existsSync(join(indexDir, 'merge'))).toBe(false);
    expect(validateIndex(indexDir)).toEqual({ findings: [], generation: 2 });
  });

  it('is left for later while another writes, and made when nobody does', async () => {
    await publishApart(['a.ts', 'b.ts', 'c.ts']);
    const request = { indexDir, cache: createSegmentCache(), maxSegments: 3 };
    const lock = await acquireWriterLock(indexDir, { name: 'test', waitMs: 0 });
    expect(await mergeWhenFree(request)).toBe(0);
    expect(existsSync(join(indexDir, 'merge'))).toBe(false);
    lock.release();
    expect(await mergeWhenFree(request)).toBe(3);
    (await acquireWriterLock(indexDir, { name: 'test', waitMs: 0 })).release();
    await publish(indexDir, [fileBlock('d.ts')], { cache: request.cache });
    expect(segmentNames()).toEqual(['s1', 'm4', 's5']);
  });

  it('of an index that is not there is no error', async () => {
    expect(await mergeWhenFree({ indexDir, cache: createSegmentCache() })).toBe(0);
    expect(existsSync(indexDir)).toBe(false);
  });

  it('that nobody makes is made by a publish in the end', async () => {
    await publishApart([]);
    for (let number = 0; number < 60; number += 1) await publish(indexDir, [fileBlock(`${number}.ts`)]);
    expect(segmentNames().length).toBeLessThan(49);
    expect(paths()).toHaveLength(63);
    expect(validateIndex(indexDir).findings).toEqual([]);
  });
});

describe('the plan of a merge', () => {
  const weights = (...bytes: number[]): SegmentWeight[] => bytes.map((one) => ({ bytes: one, garbage: 0 }));
  const small = Array.from({ length: 16 }, () => 10);

  it('leaves up to sixteen segments as they are', () => {
    expect(planMerge(weights())).toBeNull();
    expect(planMerge(weights(...small))).toBeNull();
  });

  it('leaves a large segment out, and takes one that is not much larger than all after it', () => {
    expect(planMerge(weights(10_000, ...small))).toBe(1);
    expect(planMerge(weights(10_000, 300, ...small))).toBe(1);
    expect(planMerge(weights(10_000, 321, ...small))).toBe(2);
    expect(planMerge(weights(100, ...small))).toBe(0);
  });

  it('brings the number down by half at least, whatever the sizes', () => {
    const growing = Array.from({ length: 20 }, (_, at) => 3 ** (20 - at));
    expect(planMerge(weights(...growing))).toBe(10);
  });

  it('takes everything when more than half is garbage, unless that is little', () => {
    const garbage = (bytes: number) => [{ bytes: bytes * 2 - 1, garbage: bytes }];
    expect(planMerge(garbage(300_000))).toBe(0);
    expect(planMerge(garbage(1_000))).toBeNull();
    expect(planMerge([{ bytes: 700_000, garbage: 340_000 }])).toBeNull();
  });
});
