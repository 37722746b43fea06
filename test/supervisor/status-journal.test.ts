import type { SupervisorStatus } from '@woods/protocol';
import { describe, expect, it } from 'vitest';
import type { Projection } from '../../packages/supervisor/src/states/projection.ts';
import { openStatusJournal, type StatusJournal } from '../../packages/supervisor/src/status/journal.ts';
import { createFakeClock, type FakeClock } from './support/fake-clock.ts';

const AUTHOR = { launcher: 'f'.repeat(32), pid: 7, pidStarted: 'b:1', host: 'here' };

function said(state: Projection['state'], more: Partial<Projection> = {}): Projection {
  return { state, reason: 'why', pid: 100, retryInMs: null, ...more };
}

interface Desk {
  readonly journal: StatusJournal;
  readonly clock: FakeClock;
  readonly written: [string, SupervisorStatus][];
  readonly failures: string[];
  readonly swept: string[];
  /** Lets writes fail for this reason, or succeed again. */
  fail(reason: string | null): void;
}

function open(): Desk {
  const clock = createFakeClock();
  const written: [string, SupervisorStatus][] = [];
  const failures: string[] = [];
  const swept: string[] = [];
  let failure: string | null = null;
  const journal = openStatusJournal({
    author: AUTHOR,
    clock,
    write(index, record) {
      if (failure !== null) throw new Error(failure);
      written.push([index, record]);
    },
    sweep: (index) => void swept.push(index),
    onFailure: (reason) => void failures.push(reason),
  });
  return {
    journal,
    clock,
    written,
    failures,
    swept,
    fail: (reason) => {
      failure = reason;
    },
  };
}

/** One whose first attempt knows its index. */
function openKnown(): Desk {
  const desk = open();
  desk.journal.retire('first');
  desk.journal.adopt('/one');
  return desk;
}

describe('the status journal', () => {
  it('writes nothing before the index is known, and then the last word', () => {
    const { journal, written } = open();
    journal.retire('first');
    journal.publish(said('starting'));
    journal.publish(said('booting'));
    journal.refresh();
    expect(written).toEqual([]);
    journal.adopt('/index');
    expect(written.map(([index, { state }]) => [index, state])).toEqual([['/index', 'booting']]);
  });

  it('sweeps the leftovers of others once for each attempt', () => {
    const { journal, swept } = openKnown();
    journal.publish(said('ready'));
    journal.refresh();
    journal.retire('second');
    journal.adopt('/two');
    expect(swept).toEqual(['/one', '/two']);
  });

  it('has every field of the file', () => {
    const { journal, written, clock } = openKnown();
    journal.publish(said('retrying', { pid: null, retryInMs: 4_000 }));
    expect(written[0]?.[1]).toEqual({
      version: 1,
      launcher: AUTHOR.launcher,
      pid: 7,
      pid_started: 'b:1',
      host: 'here',
      updated_at: clock.date().toISOString(),
      state: 'retrying',
      reason: 'why',
      attempt: 'first',
      child_pid: null,
      retry_at: new Date(clock.date().getTime() + 4_000).toISOString(),
    });
  });

  it('writes at most once in 100 ms, and always the last state', () => {
    const { journal, written, clock } = openKnown();
    for (let n = 0; n < 50; n += 1) journal.publish(said('ready', { reason: n % 2 === 0 ? 'even' : 'odd' }));
    expect(written).toHaveLength(1);
    clock.advance(100);
    expect(written).toHaveLength(2);
    expect(written[1]?.[1].reason).toBe('odd');
    clock.advance(10_000);
    expect(written).toHaveLength(2);
  });

  it('writes the last state again at every heartbeat, with the same retry time', () => {
    const { journal, written, clock } = openKnown();
    journal.publish(said('retrying', { retryInMs: 30_000 }));
    clock.advance(5_000);
    journal.refresh();
    expect(written).toHaveLength(2);
    expect(written[1]?.[1].retry_at).toBe(written[0]?.[1].retry_at);
    expect(written[1]?.[1].updated_at).not.toBe(written[0]?.[1].updated_at);
  });

  it.each([
    ['the next index is known', (journal: StatusJournal) => journal.adopt('/two')],
    ['the attempt after that begins', (journal: StatusJournal) => journal.retire('third')],
    ['it ends', (journal: StatusJournal) => journal.close()],
  ])('retires the record of an attempt at once when %s', (_, act) => {
    const { journal, written, clock } = openKnown();
    journal.publish(said('ready'));
    journal.retire('second');
    act(journal);
    expect(written[1]).toEqual(['/one', expect.objectContaining({ state: 'stopped', attempt: 'first' })]);
    clock.advance(1_000);
    expect(written.filter(([, { state }]) => state === 'stopped')).toHaveLength(1);
  });

  it('retires the record of an attempt before the next one, and is silent until that knows its index', () => {
    const { journal, written, clock } = openKnown();
    journal.publish(said('ready'));
    journal.retire('second');
    // the next start does not wait for the disk
    expect(written).toHaveLength(1);
    clock.advance(100);
    expect(written.at(-1)).toEqual([
      '/one',
      expect.objectContaining({ state: 'stopped', reason: 'attempt_finished', attempt: 'first', child_pid: null }),
    ]);
    journal.publish(said('starting'));
    journal.refresh();
    clock.advance(1_000);
    expect(written).toHaveLength(2);
    journal.adopt('/two');
    journal.publish(said('reconciling'));
    clock.advance(100);
    expect(written.at(-1)).toEqual(['/two', expect.objectContaining({ attempt: 'second', state: 'reconciling' })]);
  });

  it('warns once in a row of failures, and again after a success', () => {
    const { journal, clock, failures, fail } = openKnown();
    fail('EROFS');
    journal.publish(said('ready'));
    journal.refresh();
    journal.refresh();
    expect(failures).toEqual(['EROFS']);
    fail(null);
    journal.refresh();
    fail('ENOSPC');
    clock.advance(1_000);
    journal.refresh();
    expect(failures).toEqual(['EROFS', 'ENOSPC']);
  });

  it('writes what is still to be written when it is closed, and nothing afterwards', () => {
    const { journal, written, clock } = openKnown();
    journal.publish(said('ready'));
    journal.publish(said('stopped', { pid: null }));
    journal.close();
    journal.publish(said('ready'));
    journal.refresh();
    clock.advance(1_000);
    expect(written.map(([, { state }]) => state)).toEqual(['ready', 'stopped']);
    expect(clock.pending()).toBe(0);
  });
});
