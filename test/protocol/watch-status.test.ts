import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  decodeWatchStatus,
  type ProcessProbe,
  readWatchStatus,
  type WatchStatus,
  watchLiveness,
  writeWatchStatus,
} from '@woods/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from './support/directory.ts';
import { HOSTILE } from './support/hostile.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');

function ago(milliseconds: number): string {
  return new Date(NOW - milliseconds).toISOString();
}

const status: WatchStatus = {
  state: 'running',
  reason: null,
  generation: 42,
  pid: 4711,
  pid_started: 'boot:100',
  host: 'here',
  updated_at: ago(1000),
};

const anyStatus: fc.Arbitrary<WatchStatus> = fc
  .record({
    state: fc.constantFrom('running', 'degraded', 'stopped'),
    reason: fc.option(fc.string({ minLength: 1 }).filter((text) => text.trim() !== '' && !text.includes('\0'))),
    generation: fc.option(fc.nat()),
    pid: fc.integer({ min: 1, max: 4_194_304 }),
    pid_started: fc.constantFrom(null, 'boot:1'),
    host: fc.constantFrom('here', 'über-host'),
    updated_at: fc
      .date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
      .map((d) => d.toISOString()),
    detail: fc.option(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })),
  })
  // through JSON, as -0 and the like do not survive it
  .map(({ detail, ...rest }) => JSON.parse(JSON.stringify(detail === null ? rest : { ...rest, detail })));

describe('watch_status.json', () => {
  it('reads back what was written', () => {
    const directory = temporaryDirectory();
    fc.assert(
      fc.property(anyStatus, (written) => {
        writeWatchStatus(directory, written);
        expect(readWatchStatus(directory)).toEqual({ kind: 'ok', value: written });
      }),
      { numRuns: 50 },
    );
  });

  it('is readable by everybody', () => {
    const directory = temporaryDirectory();
    writeWatchStatus(directory, status);
    expect(statSync(join(directory, 'watch_status.json')).mode & 0o777).toBe(0o644);
  });

  it('leaves out a detail that would make it unreadable, and says so', () => {
    const directory = temporaryDirectory();
    writeWatchStatus(directory, { ...status, detail: { held: ['x'.repeat(100_000)] } });
    expect(readWatchStatus(directory)).toEqual({ kind: 'ok', value: { ...status, detail: { left_out: 'too long' } } });
  });

  it('is read as the gem writes it, and with fields of a later version', () => {
    const { pid_started: _, ...gem } = status;
    const later = { ...gem, lease: 1, updated_at: '2026-03-01T11:59:59Z' };
    expect(decodeWatchStatus(later)).toEqual({
      kind: 'ok',
      value: { ...gem, pid_started: null, updated_at: '2026-03-01T11:59:59Z' },
    });
  });

  it('is missing where there is none', () => {
    expect(readWatchStatus(temporaryDirectory())).toEqual({ kind: 'missing' });
  });

  it.each(Object.entries(HOSTILE))('is corrupt where there is %s', (_, make) => {
    const directory = temporaryDirectory();
    make(join(directory, 'watch_status.json'));
    expect(readWatchStatus(directory)).toMatchObject({ kind: 'corrupt', detail: expect.stringMatching(/^expected /) });
  });

  it('is corrupt however it was cut', () => {
    const directory = temporaryDirectory();
    writeWatchStatus(directory, status);
    const path = join(directory, 'watch_status.json');
    const text = readFileSync(path, 'utf8').trimEnd();
    for (let length = 0; length < text.length; length++) {
      writeFileSync(path, text.slice(0, length));
      expect(readWatchStatus(directory)).toMatchObject({ kind: 'corrupt' });
    }
  });

  it.each([
    ['state', 'ready'],
    ['state', undefined],
    ['reason', 7],
    ['reason', undefined],
    ['generation', -1],
    ['generation', '42'],
    ['pid', 0],
    ['pid', -4711],
    ['pid', '4711'],
    ['pid_started', 5],
    ['host', ''],
    ['host', null],
    ['updated_at', 'yesterday'],
    ['updated_at', '2026-03-01T12:00:00'],
    ['updated_at', '2026-03-01T12:00:00+02:00'],
    ['updated_at', '2026-13-01T12:00:00Z'],
    ['updated_at', NOW],
    ['detail', []],
  ])('is corrupt with %s %j', (field, value) => {
    const read = decodeWatchStatus({ ...status, [field]: value });
    expect(read).toMatchObject({ kind: 'corrupt', detail: expect.stringContaining(`expected ${field} to be`) });
  });
});

describe('the watch is alive', () => {
  const running: ProcessProbe = (pid) => (pid === 4711 ? { start: 'boot:100' } : null);
  const view = { host: 'here', now: NOW, probe: running, trustForeignHost: false };
  const believing = { ...view, trustForeignHost: true };
  const foreign = { ...status, host: 'there' };

  it.each([
    ['running', status, view, 'alive'],
    ['degraded', { ...status, state: 'degraded' } as const, view, 'alive'],
    ['stopped', { ...status, state: 'stopped' } as const, view, 'stopped'],
    ['900 s old', { ...status, updated_at: ago(900_000) }, view, 'alive'],
    ['older', { ...status, updated_at: ago(900_001) }, view, 'stale'],
    ['of a clock that was set back since', { ...status, updated_at: ago(-3_600_000) }, view, 'alive'],
    ['without its process', { ...status, pid: 4712 }, view, 'no_process'],
    ['of a pid that another process has now', { ...status, pid_started: 'boot:99' }, view, 'other_process'],
    ['of another boot', { ...status, pid_started: 'other:100' }, view, 'other_process'],
    ['of the gem, without a start time', { ...status, pid_started: null }, view, 'alive'],
    ['where start times are unknown', status, { ...view, probe: () => ({ start: '' }) }, 'alive'],
    ['of another host', foreign, view, 'foreign_host'],
    ['of another host that is trusted', { ...foreign, pid: 1 }, believing, 'alive'],
    ['of a trusted host, but old', { ...foreign, updated_at: ago(900_001) }, believing, 'stale'],
    ['of a trusted host, far ahead', { ...foreign, updated_at: ago(-900_001) }, believing, 'stale'],
    ['of this host, trust or not', { ...status, pid: 4712 }, believing, 'no_process'],
  ] as const)('%s', (_, record, seen, reason) => {
    expect(watchLiveness(record, seen)).toEqual({ alive: reason === 'alive', reason });
  });
});
