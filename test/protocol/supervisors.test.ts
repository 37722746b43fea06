import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  decodeSupervisorStatus,
  type LivenessView,
  readSupervisors,
  type SupervisorRecord,
  type SupervisorStatus,
  sweepSupervisorFiles,
  type WatchStatus,
  writeSupervisorStatus,
  writeWatchStatus,
} from '@woods/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from './support/directory.ts';
import { HOSTILE } from './support/hostile.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const LIVING = new Map([
  [100, 'boot:1'],
  [101, 'boot:2'],
  [200, 'boot:3'],
]);

const view: LivenessView = {
  host: 'here',
  now: NOW,
  probe: (pid) => {
    const start = LIVING.get(pid);
    return start === undefined ? null : { start };
  },
};

function ago(milliseconds: number): string {
  return new Date(NOW - milliseconds).toISOString();
}

function token(number: number): string {
  return number.toString(16).padStart(32, '0');
}

const status: SupervisorStatus = {
  version: 1,
  launcher: token(1),
  pid: 100,
  pid_started: 'boot:1',
  host: 'here',
  updated_at: ago(1000),
  state: 'ready',
  reason: 'reconciled',
  attempt: token(999),
  child_pid: 200,
};

function filesOf(indexDir: string): string[] {
  return readdirSync(join(indexDir, 'watch_supervisors')).sort();
}

/** Written past the writer, which refuses what is not its own. */
function plant(indexDir: string, record: object, name?: string): void {
  const directory = join(indexDir, 'watch_supervisors');
  mkdirSync(directory, { recursive: true });
  const launcher = 'launcher' in record ? record.launcher : '';
  writeFileSync(join(directory, name ?? `${launcher}.json`), JSON.stringify(record));
}

const anyStatus: fc.Arbitrary<SupervisorStatus> = fc
  .record({
    launcher: fc.stringMatching(/^[A-Za-z0-9_-]{1,128}$/),
    pid: fc.integer({ min: 1, max: 4_194_304 }),
    pid_started: fc.constantFrom(null, 'boot:1'),
    host: fc.constantFrom('here', 'there'),
    state: fc.constantFrom('starting', 'booting', 'reconciling', 'ready', 'degraded', 'retrying', 'parked', 'stopped'),
    reason: fc.stringMatching(/^[a-z_]{1,80}$/),
    attempt: fc.stringMatching(/^[A-Za-z0-9_-]{1,128}$/),
    child_pid: fc.option(fc.integer({ min: 1, max: 4_194_304 })),
    retry_at: fc.constantFrom(null, ago(-4000)),
  })
  .map(({ retry_at, ...rest }) => ({
    version: 1,
    ...rest,
    updated_at: ago(0),
    ...(retry_at === null ? {} : { retry_at }),
  }));

describe('a supervisor’s file', () => {
  it('reads back what was written', () => {
    fc.assert(
      fc.property(anyStatus, (written) => {
        const directory = temporaryDirectory();
        writeSupervisorStatus(directory, written);
        expect(readSupervisors(directory, view).records.map((record) => record.status)).toEqual([written]);
      }),
      { numRuns: 30 },
    );
  });

  it('is readable by everybody, and so is its directory', () => {
    const directory = temporaryDirectory();
    const before = process.umask(0o077);
    writeSupervisorStatus(directory, status);
    process.umask(before);
    expect(statSync(join(directory, 'watch_supervisors')).mode & 0o777).toBe(0o755);
    expect(statSync(join(directory, 'watch_supervisors', `${token(1)}.json`)).mode & 0o777).toBe(0o644);
  });

  it('is replaced by its own process only', () => {
    const directory = temporaryDirectory();
    writeSupervisorStatus(directory, status);
    writeSupervisorStatus(directory, { ...status, state: 'degraded' });
    expect(() => writeSupervisorStatus(directory, { ...status, pid: 101 })).toThrow(/found the record of pid 100/);
    expect(() => writeSupervisorStatus(directory, { ...status, host: 'there' })).toThrow(/on here/);
    expect(readSupervisors(directory, view).records[0]?.status).toEqual({ ...status, state: 'degraded' });
  });

  it.each(Object.entries(HOSTILE))('comes back in the place of %s', (what, make) => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'watch_supervisors'));
    make(join(directory, 'watch_supervisors', `${token(1)}.json`));
    if (what === 'a directory') {
      expect(() => writeSupervisorStatus(directory, status)).toThrow();
      return;
    }
    writeSupervisorStatus(directory, status);
    expect(readSupervisors(directory, view).records).toEqual([
      { status, alive: true, verdict: 'alive', activeChild: false },
    ]);
  });

  it('is not written longer than readers accept it', () => {
    const directory = temporaryDirectory();
    expect(() => writeSupervisorStatus(directory, { ...status, host: 'h'.repeat(9000) })).toThrow(RangeError);
    expect(filesOf(directory)).toEqual([]);
  });

  it.each([
    ['version', 2],
    ['version', '1'],
    ['launcher', '../x'],
    ['launcher', ''],
    ['pid', 0],
    ['pid_started', 1],
    ['host', ''],
    ['updated_at', '12:00'],
    ['state', 'running'],
    ['reason', 'Boot failed'],
    ['reason', 'a'.repeat(81)],
    ['reason', null],
    ['attempt', null],
    ['child_pid', 0],
    ['child_pid', undefined],
    ['retry_at', 'soon'],
  ])('is not believed with %s %j', (field, value) => {
    const read = decodeSupervisorStatus({ ...status, [field]: value });
    expect(read).toMatchObject({ kind: 'corrupt', detail: expect.stringContaining(`expected ${field} to be`) });
  });

  it('is believed with fields of a later version, and without a start time, as the gem writes it', () => {
    const { pid_started: _, ...gem } = status;
    expect(decodeSupervisorStatus({ ...gem, later: [1] })).toEqual({
      kind: 'ok',
      value: { ...status, pid_started: null },
    });
  });
});

describe('the directory of supervisors', () => {
  it('may not be a link or a file, for writers and readers', () => {
    const link = temporaryDirectory();
    const elsewhere = temporaryDirectory();
    plant(elsewhere, { ...status, pid: 102 });
    symlinkSync(join(elsewhere, 'watch_supervisors'), join(link, 'watch_supervisors'));
    const file = temporaryDirectory();
    writeFileSync(join(file, 'watch_supervisors'), '');
    for (const directory of [link, file]) {
      expect(() => writeSupervisorStatus(directory, status)).toThrow(/expected watch_supervisors to be a directory/);
      expect(readSupervisors(directory, view)).toMatchObject({
        records: [],
        problems: [expect.stringMatching(/^expected /)],
      });
      expect(sweepSupervisorFiles(directory, { ...view, now: NOW + 1e9, own: 'x' })).toBe(0);
    }
    expect(filesOf(elsewhere)).toEqual([`${token(1)}.json`]);
  });

  it('is empty where there is none', () => {
    const directory = temporaryDirectory();
    expect(readSupervisors(directory, view)).toEqual({ records: [], truncated: false, problems: [] });
    expect(sweepSupervisorFiles(directory, { ...view, own: 'x' })).toBe(0);
  });

  it('gives good records beside anything else, which it names', () => {
    const directory = temporaryDirectory();
    writeSupervisorStatus(directory, status);
    const names = Object.keys(HOSTILE).map((_, at) => `${token(50 + at)}.json`);
    for (const [at, make] of Object.values(HOSTILE).entries()) {
      const made = join(temporaryDirectory(), 'made');
      make(made);
      renameSync(made, join(directory, 'watch_supervisors', names[at] ?? ''));
    }
    const read = readSupervisors(directory, view);
    expect(read.records).toEqual([{ status, alive: true, verdict: 'alive', activeChild: false }]);
    for (const name of names) expect(read.problems).toContainEqual(expect.stringContaining(name));
    expect(read.problems).toHaveLength(names.length);
  });

  it('does not believe a record under another launcher’s name', () => {
    const directory = temporaryDirectory();
    plant(directory, status, `${token(2)}.json`);
    expect(readSupervisors(directory, view)).toMatchObject({
      records: [],
      problems: [expect.stringContaining(token(2))],
    });
  });

  it('keeps control characters in a name off the terminal', () => {
    const directory = temporaryDirectory();
    plant(directory, status, '\u001b[2J.json');
    const { problems } = readSupervisors(directory, view);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(problems).toEqual([expect.not.stringMatching(/[\u0000-\u001f]/)]);
  });

  it('gives live ones first, then the newest, 32 at most', () => {
    const directory = temporaryDirectory();
    for (let n = 0; n < 40; n++)
      plant(directory, { ...status, launcher: token(100 + n), state: 'stopped', updated_at: ago(n * 10) });
    plant(directory, { ...status, launcher: token(1), updated_at: ago(20_000) });
    plant(directory, { ...status, launcher: token(2), updated_at: ago(10_000) });
    const { records, truncated, problems } = readSupervisors(directory, view);
    expect(truncated).toBe(true);
    expect(problems).toEqual([]);
    const expected = [token(2), token(1), ...Array.from({ length: 30 }, (_, n) => token(100 + n))];
    expect(records.map(({ status }) => status.launcher)).toEqual(expected);
  });

  it('is truncated only beyond 32 records or 256 names', () => {
    const full = temporaryDirectory();
    for (let n = 0; n < 32; n++) plant(full, { ...status, launcher: token(n) });
    expect(readSupervisors(full, view)).toMatchObject({ truncated: false });
    plant(full, { ...status, launcher: token(32) });
    expect(readSupervisors(full, view)).toMatchObject({ truncated: true });

    const crowded = temporaryDirectory();
    plant(crowded, status);
    for (let n = 0; n < 255; n++) plant(crowded, {}, `x${n}`);
    expect(readSupervisors(crowded, view)).toMatchObject({ truncated: false, records: [{ alive: true }] });
    for (let n = 255; n < 3000; n++) plant(crowded, {}, `x${n}`);
    const read = readSupervisors(crowded, view);
    expect(read.truncated).toBe(true);
    expect(read.problems.length + read.records.length).toBe(256);
  });
});

describe('a supervisor is alive', () => {
  it.each<[string, Partial<SupervisorStatus>, SupervisorRecord['verdict']]>([
    ['ready', {}, 'alive'],
    ['parked', { state: 'parked' }, 'alive'],
    ['retrying', { state: 'retrying', child_pid: null }, 'alive'],
    ['stopped', { state: 'stopped' }, 'stopped'],
    ['30 s old', { updated_at: ago(30_000) }, 'alive'],
    ['older', { updated_at: ago(30_001) }, 'stale'],
    ['30 s ahead', { updated_at: ago(-30_000) }, 'alive'],
    ['further ahead', { updated_at: ago(-30_001) }, 'stale'],
    ['without its process', { pid: 102 }, 'no_process'],
    ['with its pid in other hands', { pid_started: 'boot:9' }, 'other_process'],
    ['without a start time', { pid_started: null }, 'alive'],
    ['of another host', { host: 'there' }, 'foreign_host'],
  ])('%s', (_, change, verdict) => {
    const directory = temporaryDirectory();
    plant(directory, { ...status, ...change });
    expect(readSupervisors(directory, view).records).toMatchObject([{ alive: verdict === 'alive', verdict }]);
  });

  it('and its child active when it is the worker of this index', () => {
    const worker: WatchStatus = {
      state: 'running',
      reason: null,
      generation: 1,
      pid: 200,
      pid_started: 'boot:3',
      host: 'here',
      updated_at: ago(0),
    };
    const activeWith = (supervisor: Partial<SupervisorStatus>, watch: Partial<WatchStatus>) => {
      const directory = temporaryDirectory();
      plant(directory, { ...status, ...supervisor });
      writeWatchStatus(directory, { ...worker, ...watch });
      return readSupervisors(directory, view).records[0]?.activeChild;
    };
    expect(activeWith({}, {})).toBe(true);
    expect(activeWith({}, { state: 'degraded' })).toBe(true);
    expect(activeWith({ state: 'stopped' }, {})).toBe(false);
    expect(activeWith({ child_pid: 201 }, {})).toBe(false);
    expect(activeWith({ child_pid: null }, {})).toBe(false);
    expect(activeWith({}, { pid: 101, pid_started: null })).toBe(false);
    expect(activeWith({}, { state: 'stopped' })).toBe(false);
    expect(activeWith({}, { updated_at: ago(900_001) })).toBe(false);
    expect(activeWith({}, { pid_started: 'boot:9' })).toBe(false);
    expect(activeWith({}, { host: 'there' })).toBe(false);
  });
});

describe('sweeping', () => {
  it.each<[string, Partial<SupervisorStatus>, number]>([
    ['takes a dead one that is older than 30 s', { pid: 102, updated_at: ago(30_001) }, 1],
    ['takes one whose pid is in other hands', { pid_started: 'boot:9', updated_at: ago(30_001) }, 1],
    ['takes a stopped one', { state: 'stopped', updated_at: ago(30_001) }, 1],
    ['takes a stopped one of another host', { state: 'stopped', host: 'there', updated_at: ago(30_001) }, 1],
    ['leaves a dead one that is 30 s old', { pid: 102, updated_at: ago(30_000) }, 0],
    ['leaves a stopped one that is 30 s old', { state: 'stopped', updated_at: ago(30_000) }, 0],
    ['leaves a silent one whose process lives', { updated_at: ago(86_400_000) }, 0],
    ['leaves one of another host that did not stop', { host: 'there', pid: 102, updated_at: ago(86_400_000) }, 0],
    ['leaves one from the future', { pid: 102, updated_at: ago(-86_400_000) }, 0],
    ['leaves a live one', {}, 0],
  ])('%s', (_, change, removed) => {
    const directory = temporaryDirectory();
    plant(directory, { ...status, ...change });
    expect(sweepSupervisorFiles(directory, { ...view, own: token(7) })).toBe(removed);
    expect(filesOf(directory)).toHaveLength(1 - removed);
  });

  it('leaves its own, what it cannot read, and fresh temporary files', () => {
    const directory = temporaryDirectory();
    const dead = { ...status, pid: 102, updated_at: ago(60_000) };
    plant(directory, dead);
    plant(directory, { half: 1 }, 'garbage.json');
    plant(directory, {}, `.${token(3)}.json.0123456789ab.tmp`);
    plant(directory, {}, `.${token(4)}.json.0123456789ab.tmp`);
    const age = (name: string, milliseconds: number) => {
      const time = (NOW - milliseconds) / 1000;
      utimesSync(join(directory, 'watch_supervisors', name), time, time);
    };
    age(`.${token(3)}.json.0123456789ab.tmp`, 601_000);
    age(`.${token(4)}.json.0123456789ab.tmp`, 599_000);
    age('garbage.json', 1e9);
    expect(sweepSupervisorFiles(directory, { ...view, own: token(1) })).toBe(1);
    expect(filesOf(directory)).toEqual([`.${token(4)}.json.0123456789ab.tmp`, `${token(1)}.json`, 'garbage.json']);
  });

  it('never removes what a link leads to', () => {
    const directory = temporaryDirectory();
    const victim = join(temporaryDirectory(), `${token(1)}.json`);
    writeFileSync(victim, JSON.stringify({ ...status, pid: 102, updated_at: ago(60_000) }));
    mkdirSync(join(directory, 'watch_supervisors'));
    symlinkSync(victim, join(directory, 'watch_supervisors', `${token(1)}.json`));
    expect(sweepSupervisorFiles(directory, { ...view, own: 'x' })).toBe(0);
    expect(readFileSync(victim, 'utf8')).not.toBe('');
  });
});
