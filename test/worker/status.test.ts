import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HeldFile } from '@woods/index';
import { type ChildEvent, readWatchStatus, selfIdentity } from '@woods/protocol';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRecords } from '../../packages/worker/src/run/records.ts';
import {
  type Condition,
  heldTrouble,
  startupRecord,
  type TroubleReason,
} from '../../packages/worker/src/status/condition.ts';
import { profileLine } from '../../packages/worker/src/status/profile.ts';
import { HEARTBEAT_MS, openStatusSink } from '../../packages/worker/src/status/sink.ts';

const good: Condition = {
  trouble: null,
  generation: 4,
  caughtUp: true,
  held: [],
  pending: 0,
  lastRun: { count: 3, durationMs: 12.345 },
  lastError: null,
};
const heldFile = (path: string): HeldFile => ({
  path,
  line: 7,
  reason: "'}' expected",
  since: '2026-08-01T00:00:00.000Z',
});
const troubled = (reason: TroubleReason): Condition => ({ ...good, trouble: { reason, message: reason } });

const reasons: TroubleReason[] = [
  ...(['catching_up', 'catch_up_disabled', 'contended', 'extraction_failed', 'publish_failed'] as const),
  ...(['thread_died', 'held', 'restart_required', 'backend_failed'] as const),
];

describe('startupRecord', () => {
  it.each([
    [good, 'reconciled'],
    [{ ...good, caughtUp: false }, 'pending_work'],
    [{ ...good, generation: null }, 'no_index'],
    [troubled('contended'), 'pending_work'],
    [troubled('held'), 'pending_work'],
    [troubled('restart_required'), 'restart_required'],
    [troubled('catch_up_disabled'), 'catch_up_disabled'],
    [troubled('extraction_failed'), 'pending_work'],
    [{ ...troubled('extraction_failed'), caughtUp: false }, 'startup_failed'],
    [{ ...troubled('publish_failed'), caughtUp: false, generation: null }, 'no_index'],
    [troubled('thread_died'), 'pending_work'],
    [troubled('backend_failed'), 'pending_work'],
  ] as const)('%j', (condition, reason) => {
    expect(startupRecord(condition).reason).toBe(reason);
  });

  it('is ready if and only if it is reconciled with a generation', () => {
    const any = fc.record({
      reason: fc.constantFrom(null, ...reasons),
      generation: fc.constantFrom(null, 1, 99),
      caughtUp: fc.boolean(),
    });
    fc.assert(
      fc.property(any, ({ reason, generation, caughtUp }) => {
        const trouble = reason === null ? null : { reason, message: '' };
        const record = startupRecord({ ...good, trouble, generation, caughtUp });
        expect(record.state === 'ready').toBe(record.reason === 'reconciled');
        if (record.state === 'ready') expect([record.generation >= 1, trouble, caughtUp]).toEqual([true, null, true]);
      }),
    );
  });
});

describe('records', () => {
  it('go out in order, once a change, and never after the terminal one', () => {
    const sent: ChildEvent[] = [];
    const records = openRecords({ kind: 'unmanaged' }, { report: (event) => sent.push(event), close: async () => {} });
    records.taskLoaded('1.0.0');
    records.condition(good);
    records.identity('/r', '/r/tmp/woods');
    records.backendReady();
    records.condition(troubled('catching_up'));
    records.condition(good);
    records.condition({ ...good, generation: 5 });
    records.condition(troubled('held'));
    records.condition(troubled('contended'));
    records.condition(good);
    records.terminal('stopped');
    records.condition(troubled('held'));
    records.terminal('stopped');
    expect(sent.map((event) => ('reason' in event ? `${event.event} ${event.reason}` : event.event))).toEqual([
      ...[
        'task_loaded',
        'identity',
        'backend_ready',
        'startup reconciled',
        'startup pending_work',
        'startup reconciled',
      ],
      'terminal stopped',
    ]);
  });
});

describe('heldTrouble', () => {
  it('names up to three files with their lines, and counts the others', () => {
    const held = ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts'].map(heldFile);
    expect(heldTrouble(held.slice(0, 1)).message).toMatch(/a\.ts:7 '}' expected$/);
    expect(heldTrouble(held).message).toMatch(/a\.ts:7 .*b\.ts:7 .*c\.ts:7 .*and 2 more$/);
  });
});

describe('profileLine', () => {
  it('adds up, with the rest named', () => {
    expect(
      profileLine(
        [
          ['scan', 10.04],
          ['record', 20.06],
        ],
        40,
      ),
    ).toBe('profile: scan 10.0 + record 20.1 + rest 9.9 = 40.0 ms');
    const phases = fc.array(
      fc.tuple(fc.constantFrom('scan', 'record', 'link'), fc.double({ min: 0, max: 1e5, noNaN: true })),
    );
    fc.assert(
      fc.property(phases, fc.double({ min: 0, max: 1e6, noNaN: true }), (parts, total) => {
        const [left = '', right = ''] = profileLine(parts, total).split(' = ');
        const sum = [...left.matchAll(/-?\d+\.\d/g)].reduce(
          (tenths, [text]) => tenths + Math.round(Number(text) * 10),
          0,
        );
        expect(sum).toBe(Math.round(Number.parseFloat(right) * 10));
      }),
    );
  });
});

describe('watch_status.json', () => {
  let place: string;
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'woods-status-'));
  });
  afterEach(() => {
    vi.useRealTimers();
    rmSync(place, { recursive: true, force: true });
  });
  const self = selfIdentity();
  const read = () => {
    const status = readWatchStatus(place);
    return status.kind === 'ok' ? status.value : null;
  };

  it('is for everybody to read, and says who, what and why', () => {
    const sink = openStatusSink(place, self, () => {});
    sink.backend({ name: 'polling', lagMs: () => 1034 });
    const held = Array.from({ length: 30 }, (_, at) => heldFile(`${at}.ts`));
    sink.show({ ...good, trouble: heldTrouble(held), held, pending: 'all', lastError: 'earlier' });
    sink.close();
    expect(statSync(join(place, 'watch_status.json')).mode & 0o777).toBe(0o644);
    expect(read()).toMatchObject({
      ...{
        state: 'degraded',
        reason: 'held',
        generation: 4,
        pid: process.pid,
        pid_started: self.start,
        host: self.host,
      },
      detail: {
        ...{
          backend: 'polling',
          seen_within_ms: 1034,
          batch: 3,
          duration_ms: 12.3,
          held_count: 30,
          pending: 'all',
          last_error: 'earlier',
        },
        message: expect.stringContaining("0.ts:7 '}' expected"),
        held: held.slice(0, 20).map(({ path, line, reason, since }) => ({ path, line, reason, since })),
      },
    });
  });

  it('beats with the last state while nothing happens', () => {
    vi.useFakeTimers({ now: new Date('2026-08-01T00:00:00Z') });
    const sink = openStatusSink(place, self, () => {});
    sink.show(troubled('contended'));
    vi.advanceTimersByTime(HEARTBEAT_MS);
    expect(read()).toMatchObject({ state: 'degraded', reason: 'contended', updated_at: '2026-08-01T00:05:00.000Z' });
    sink.stopped();
    vi.advanceTimersByTime(3 * HEARTBEAT_MS);
    expect(read()).toMatchObject({ state: 'stopped', reason: null, updated_at: '2026-08-01T00:05:00.000Z' });
  });

  it('says nothing any more once it is stopped', () => {
    const sink = openStatusSink(place, self, () => {});
    sink.show(good);
    sink.stopped();
    sink.show(troubled('thread_died'));
    expect(read()?.state).toBe('stopped');
  });

  it('that cannot be written is said once, and ends nothing', () => {
    const said: string[] = [];
    const sink = openStatusSink(join(place, 'gone'), self, (line) => said.push(line));
    sink.show(good);
    sink.show(good);
    sink.close();
    expect(said).toEqual([expect.stringContaining('watch_status.json cannot be written')]);
  });
});
