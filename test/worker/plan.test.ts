import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryDelayMs } from '../../packages/worker/src/cycle/back-off.ts';
import { type PlanInput, planRun } from '../../packages/worker/src/cycle/plan.ts';
import { NOTHING_PENDING, pendingPaths, WHOLE_TREE_PENDING } from '../../packages/worker/src/pending/pending.ts';
import { type Changes, sortChanges } from '../../packages/worker/src/policy/sort.ts';

const learned = { extended: new Set<string>(), indexDir: 'tmp/woods' };

function plan(changes: Partial<Changes>, input: Partial<PlanInput> = {}) {
  const sorted = sortChanges({ files: [], directories: [], overflow: false, ...changes }, learned);
  return planRun({
    sorted,
    pending: NOTHING_PENDING,
    held: [],
    trigger: 'event',
    fullThreshold: 50,
    pointer: 'ours',
    ...input,
  });
}

const sources = (count: number) => Array.from({ length: count }, (_, at) => `src/${at}.ts`);

describe('planRun', () => {
  it('updates what changed, together with what is owed and what is held', () => {
    expect(
      plan({ files: ['a.ts', 'b.png'], directories: ['lib'] }, { pending: pendingPaths(['c.ts']), held: ['d.ts'] }),
    ).toEqual({
      kind: 'update',
      paths: new Set(['c.ts', 'a.ts', 'lib', 'd.ts']),
    });
  });

  it('does nothing for an ignored path, even while something is owed', () => {
    expect(plan({ files: ['logo.png', 'tmp/woods/x'] }, { pending: pendingPaths(['c.ts']), held: ['d.ts'] })).toEqual({
      kind: 'none',
    });
    expect(plan({}, { pending: WHOLE_TREE_PENDING })).toEqual({ kind: 'none' });
  });

  it('retries what is owed or held, and nothing else', () => {
    expect(plan({}, { trigger: 'retry' })).toEqual({ kind: 'none' });
    expect(plan({}, { trigger: 'retry', pending: pendingPaths(['c.ts']) })).toMatchObject({ kind: 'update' });
    expect(plan({}, { trigger: 'retry', held: ['d.ts'] })).toMatchObject({ kind: 'update', paths: new Set(['d.ts']) });
    expect(plan({}, { trigger: 'retry', pending: WHOLE_TREE_PENDING })).toMatchObject({
      kind: 'verify',
      reason: 'pending',
    });
  });

  it('takes more than the threshold as a storm, pending ones counted', () => {
    expect(plan({ files: sources(50) }).kind).toBe('update');
    expect(plan({ files: sources(51) })).toMatchObject({ kind: 'verify', reason: 'storm' });
    expect(plan({ files: sources(50) }, { pending: pendingPaths(['c.ts']) })).toMatchObject({ reason: 'storm' });
    expect(plan({ files: [...sources(50), ...Array.from({ length: 99 }, (_, at) => `${at}.png`)] }).kind).toBe(
      'update',
    );
  });

  it.each([
    ['lost events', plan({ overflow: true }), 'overflow'],
    ['changed ignore rules', plan({ files: ['.gitignore'] }), 'rescan'],
    ['a whole tree owed', plan({ files: ['a.ts'] }, { pending: WHOLE_TREE_PENDING }), 'pending'],
    ['a pointer of somebody else', plan({ files: ['a.ts'] }, { pointer: 'moved' }), 'moved'],
  ])('verifies the whole tree after %s', (_, planned, reason) => {
    expect(planned).toMatchObject({ kind: 'verify', reason });
  });

  it('never lets a path of its input go, except into a verification', () => {
    const files = fc.array(fc.constantFrom(...sources(8)), { maxLength: 8 });
    fc.assert(
      fc.property(files, files, fc.boolean(), fc.boolean(), (changed, owed, overflow, moved) => {
        const planned = plan(
          { files: changed, overflow },
          { pending: pendingPaths(owed), pointer: moved ? 'moved' : 'ours' },
        );
        expect(planned.kind === 'none').toBe(changed.length === 0 && !overflow);
        if (planned.kind === 'update') for (const path of [...changed, ...owed]) expect(planned.paths).toContain(path);
      }),
    );
  });
});

describe('retryDelayMs', () => {
  it('doubles up to the longest for the cause', () => {
    expect([1, 2, 3, 4, 5, 6, 7].map((n) => retryDelayMs(n, 'contended') / 1000)).toEqual([1, 2, 4, 8, 16, 30, 30]);
    expect([8, 9, 10, 1000].map((n) => retryDelayMs(n, 'failed') / 1000)).toEqual([128, 256, 300, 300]);
  });
});
