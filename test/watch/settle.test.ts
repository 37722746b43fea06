import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Batch, emptyBatch, mergeBatches } from '../../packages/watch/src/backend/batch.ts';
import { openSettler, type Settler } from '../../packages/watch/src/settle/settler.ts';

const NO_LOCK = { indexLockMs: null };

function paths(...names: string[]): Batch {
  return { ...emptyBatch(), paths: new Set(names) };
}

function overflow(): Batch {
  return { ...emptyBatch(), overflow: true, reason: 'root-gone' };
}

function open(more: { debounceMs?: number; maxWaitMs?: number } = {}): { settler: Settler; clock: { ms: number } } {
  const clock = { ms: 0 };
  return { settler: openSettler({ debounceMs: 100, maxWaitMs: 500, ...more, now: () => clock.ms }), clock };
}

describe('settler', () => {
  it('has nothing due when nothing came', () => {
    const { settler } = open();
    settler.note(emptyBatch());
    expect(settler.due(NO_LOCK)).toBeNull();
  });

  it('waits for quiet', () => {
    const { settler, clock } = open();
    settler.note(paths('a'));
    clock.ms = 60;
    settler.note(paths('b'));
    clock.ms = 100;
    expect(settler.due(NO_LOCK)).toBe(60);
    clock.ms = 160;
    expect(settler.due(NO_LOCK)).toBe(0);
    expect(settler.take().paths).toEqual(new Set(['a', 'b']));
    expect(settler.due(NO_LOCK)).toBeNull();
  });

  it('waits no longer than the bound under constant change', () => {
    const { settler, clock } = open();
    for (; clock.ms < 490; clock.ms += 10) settler.note(paths(`f${clock.ms}`));
    expect(settler.due(NO_LOCK)).toBe(10);
    clock.ms = 900;
    expect(settler.due(NO_LOCK)).toBe(0);
  });

  it('starts the bound anew after each batch', () => {
    const { settler, clock } = open();
    settler.note(paths('a'));
    clock.ms = 480;
    settler.note(paths('a'));
    settler.take();
    settler.note(paths('b'));
    expect(settler.due(NO_LOCK)).toBe(100);
  });

  it('is due at once without a debounce, and keeps a debounce above the bound', () => {
    const immediate = open({ debounceMs: 0 });
    immediate.settler.note(paths('a'));
    expect(immediate.settler.due(NO_LOCK)).toBe(0);
    const slow = open({ debounceMs: 2_000 });
    slow.settler.note(paths('a'));
    expect(slow.settler.due(NO_LOCK)).toBe(2_000);
  });

  it('holds while git holds its lock, and not for one left behind', () => {
    const { settler, clock } = open();
    settler.note(paths('a'));
    clock.ms = 5_000;
    expect(settler.due({ indexLockMs: 4_000 })).toBe(50);
    expect(settler.due({ indexLockMs: 9_980 })).toBe(20);
    expect(settler.due({ indexLockMs: 10_000 })).toBe(0);
    expect(settler.due(NO_LOCK)).toBe(0);
  });

  it('never loses an overflow on the way', () => {
    const batches = fc.array(fc.constantFrom(paths('a'), paths('b', 'c'), emptyBatch(), overflow()), { maxLength: 10 });
    fc.assert(
      fc.property(batches, (all) => {
        const { settler } = open();
        for (const batch of all) settler.note(batch);
        const taken = settler.take();
        expect(taken.overflow).toBe(all.some((batch) => batch.overflow));
        expect(taken.paths).toEqual(new Set(all.flatMap((batch) => [...batch.paths])));
        expect(taken.reason).toBe(taken.overflow ? 'root-gone' : null);
      }),
    );
  });
});

describe('mergeBatches', () => {
  it('keeps the reason of the overflow', () => {
    const missing: Batch = { ...emptyBatch(), reason: 'root-gone' };
    const full: Batch = { ...emptyBatch(), overflow: true, reason: 'queue-overflow' };
    expect(mergeBatches(full, missing)).toMatchObject({ overflow: true, reason: 'queue-overflow' });
    expect(mergeBatches(missing, full)).toMatchObject({ overflow: true, reason: 'queue-overflow' });
    expect(mergeBatches(missing, paths('a'))).toMatchObject({ overflow: false, reason: 'root-gone' });
  });
});
