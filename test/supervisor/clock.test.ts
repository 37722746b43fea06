import { describe, expect, it } from 'vitest';
import { pause } from '../../packages/supervisor/src/clock/clock.ts';
import { startDeadline } from '../../packages/supervisor/src/clock/deadline.ts';
import { createFakeClock, type FakeClock } from './support/fake-clock.ts';

function deadlineOf(ms: number): { clock: FakeClock; due(): boolean; cancel(): void } {
  const clock = createFakeClock();
  let due = false;
  const cancel = startDeadline(clock, ms, () => {
    due = true;
  });
  return { clock, due: () => due, cancel };
}

describe('a deadline', () => {
  it.each([1, 400, 1_000, 1_001, 30_000])('of %i ms is due then and not before', (ms) => {
    const { clock, due } = deadlineOf(ms);
    clock.advance(ms - 1);
    expect(due()).toBe(false);
    clock.advance(1);
    expect(due()).toBe(true);
  });

  it('does not count a suspension, of which at most one slice is seen', () => {
    const { clock, due } = deadlineOf(10_000);
    clock.advance(4_500);
    clock.suspend(86_400_000);
    expect(due()).toBe(false);
    clock.advance(4_000);
    expect(due()).toBe(false);
    clock.advance(1_500);
    expect(due()).toBe(true);
  });

  it('leaves no timer when it is cancelled, in whichever slice', () => {
    const { clock, due, cancel } = deadlineOf(10_000);
    clock.advance(3_200);
    cancel();
    expect(clock.pending()).toBe(0);
    clock.advance(60_000);
    expect(due()).toBe(false);
  });
});

describe('a pause', () => {
  it('ends early when it is aborted, and leaves no timer', async () => {
    const clock = createFakeClock();
    const abort = new AbortController();
    const paused = pause(clock, 1_000, abort.signal);
    abort.abort();
    await paused;
    await pause(clock, 1_000, abort.signal);
    expect(clock.pending()).toBe(0);
  });
});
