import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { flock } from '@woods/posix';
import { processStart, UsageError } from '@woods/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireWriterLock, LockBusy } from '../../packages/index/src/store/index.ts';
import { openLock, retireLock } from '../../packages/index/src/store/lock/found.ts';
import { decodeLock, encodeLock, isStale, type LockRecord } from '../../packages/index/src/store/lock/record.ts';
import { endAll, start } from '../support/running.ts';
import { removeIndexDirs, temporaryIndexDir } from './support/store-blocks.ts';

const CHILD = fileURLToPath(new URL('support/store-child.mjs', import.meta.url));
let indexDir = '';

beforeEach(() => {
  indexDir = temporaryIndexDir();
});
afterEach(() => {
  endAll();
  removeIndexDirs();
});

const path = () => join(indexDir, 'extraction.lock');
const locker = (waitMs: number) =>
  start(process.execPath, [CHILD, 'lock', indexDir, String(waitMs)], { cwd: dirname(indexDir) });
const record = (more: Partial<LockRecord> = {}): LockRecord => ({
  pid: process.pid,
  lockedAt: '2026-01-01T00:00:00.000Z',
  name: 'test',
  token: 'a'.repeat(32),
  host: hostname(),
  pidStarted: processStart(process.pid),
  ...more,
});

describe('the writer lock', () => {
  it('holds pid, locked_at, name and token, for its owner only, and is gone when released', async () => {
    const lock = await acquireWriterLock(indexDir, { name: 'woods extract', waitMs: 0 });
    expect(JSON.parse(readFileSync(path(), 'utf8'))).toMatchObject({
      pid: process.pid,
      locked_at: expect.stringMatching(/^\d{4}-.*Z$/),
      name: 'woods extract',
      token: lock.token,
    });
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    const other = openSync(path(), 'r');
    expect(flock(other, 'shared')).toBe(false);
    closeSync(other);
    lock.release();
    lock.release();
    expect(readdirSync(indexDir)).toEqual(['.gitignore']);
  });

  it('is busy for anyone else, who learns by whom', async () => {
    const lock = await acquireWriterLock(indexDir, { name: 'woods watch', waitMs: 0 });
    const waits: unknown[] = [];
    const second = acquireWriterLock(indexDir, { name: 'x', waitMs: 60, onWait: (holder) => waits.push(holder) });
    await expect(second).rejects.toThrow(LockBusy);
    await expect(second).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringMatching(new RegExp(`being written by woods watch \\(pid ${process.pid} on .*since `)),
    });
    expect(waits).toEqual([expect.objectContaining({ name: 'woods watch', pid: process.pid })]);
    lock.release();
  });

  it('goes to a waiting process when it is released', async () => {
    const lock = await acquireWriterLock(indexDir, { name: 'first', waitMs: 0 });
    const child = locker(30_000);
    expect(await child.line(/waiting/)).toBe(`waiting for first ${process.pid}`);
    lock.release();
    expect(await child.line(/locked/)).toBe(`locked ${child.pid}`);
    await expect(acquireWriterLock(indexDir, { name: 'x', waitMs: 0 })).rejects.toThrow(`test child (pid ${child.pid}`);
    child.signal('SIGTERM');
    await child.exit;
    expect(existsSync(path())).toBe(false);
  });

  it('of a killed process is taken at once', async () => {
    const child = locker(0);
    await child.line(/locked/);
    child.signal('SIGKILL');
    await child.exit;
    expect(decodeLock(readFileSync(path(), 'utf8'))?.pid).toBe(child.pid);
    const lock = await acquireWriterLock(indexDir, { name: 'next', waitMs: 0 });
    expect(decodeLock(readFileSync(path(), 'utf8'))?.token).toBe(lock.token);
    lock.release();
    expect(readdirSync(indexDir)).toEqual(['.gitignore']);
  });

  it('has one holder at a time, whoever else is killed and whoever else waits', { timeout: 60_000 }, async () => {
    const contenders = Array.from({ length: 4 }, () => {
      const child = locker(50_000);
      return { child, locked: child.line(/^locked/).then(() => child) };
    });
    const ended = new Set<number>();
    while (ended.size < contenders.length) {
      const waiting = contenders.filter(({ child }) => !ended.has(child.pid));
      const holder = await Promise.race(waiting.map(({ locked }) => locked));
      expect(decodeLock(readFileSync(path(), 'utf8'))?.pid).toBe(holder.pid);
      const others = waiting.filter(({ child }) => child !== holder);
      for (const { child } of others) expect(child.output()).not.toMatch(/^locked/m);
      holder.signal(ended.size % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      await holder.exit;
      ended.add(holder.pid);
    }
    const lock = await acquireWriterLock(indexDir, { name: 'last', waitMs: 0 });
    lock.release();
    expect(readdirSync(indexDir)).toEqual(['.gitignore']);
  });

  it('that was taken away says so when it is touched, and is not released', async () => {
    const lock = await acquireWriterLock(indexDir, { name: 'first', waitMs: 0 });
    lock.touch();
    renameSync(path(), `${path()}.away`);
    writeFileSync(path(), encodeLock(record({ token: 'b'.repeat(32) })));
    expect(() => lock.touch()).toThrow(expect.objectContaining({ code: 'locked' }));
    lock.release();
    expect(decodeLock(readFileSync(path(), 'utf8'))?.token).toBe('b'.repeat(32));
  });

  it('is fresh again when it is touched', async () => {
    const lock = await acquireWriterLock(indexDir, { name: 'first', waitMs: 0 });
    utimesSync(path(), 1, 1);
    lock.touch();
    expect(Date.now() - statSync(path()).mtimeMs).toBeLessThan(60_000);
    lock.release();
  });

  it('is not waited for after an abort', async () => {
    const lock = await acquireWriterLock(indexDir, { name: 'first', waitMs: 0 });
    const controller = new AbortController();
    const onWait = () => controller.abort();
    const waiting = acquireWriterLock(indexDir, { name: 'x', waitMs: 60_000, onWait, signal: controller.signal });
    await expect(waiting).rejects.toThrow(/abort/i);
    lock.release();
  });

  it('is a usage error where a link or a directory stands in its place', async () => {
    await (await acquireWriterLock(indexDir, { name: 'x', waitMs: 0 })).release();
    symlinkSync('/etc/passwd', path());
    await expect(acquireWriterLock(indexDir, { name: 'x', waitMs: 0 })).rejects.toThrow(UsageError);
    const file = join(dirname(indexDir), 'file');
    writeFileSync(file, '');
    await expect(acquireWriterLock(file, { name: 'x', waitMs: 0 })).rejects.toThrow(/must be a directory/);
  });
});

describe('a lock that stands there', () => {
  it('of a living process without flock stays, and is stale after ten minutes without a touch', async () => {
    await (await acquireWriterLock(indexDir, { name: 'x', waitMs: 0 })).release();
    writeFileSync(path(), encodeLock(record()));
    await expect(acquireWriterLock(indexDir, { name: 'x', waitMs: 0 })).rejects.toThrow(LockBusy);
    const old = Date.now() / 1000 - 601;
    utimesSync(path(), old, old);
    (await acquireWriterLock(indexDir, { name: 'x', waitMs: 0 })).release();
  });

  it('is never stale while its flock is held, however old', async () => {
    const lock = await acquireWriterLock(indexDir, { name: 'x', waitMs: 0 });
    utimesSync(path(), 1, 1);
    await expect(acquireWriterLock(indexDir, { name: 'y', waitMs: 0 })).rejects.toThrow(LockBusy);
    lock.release();
  });

  it.each(['', 'not a lock', '{"pid":1}'])(
    'that names nobody, as %j does, stays for some seconds only',
    async (text) => {
      await (await acquireWriterLock(indexDir, { name: 'x', waitMs: 0 })).release();
      writeFileSync(path(), text);
      const soon = Date.now() / 1000 + 60;
      utimesSync(path(), soon, soon);
      await expect(acquireWriterLock(indexDir, { name: 'x', waitMs: 0 })).rejects.toThrow(/does not say who it is/);
      const old = Date.now() / 1000 - 6;
      utimesSync(path(), old, old);
      (await acquireWriterLock(indexDir, { name: 'x', waitMs: 0 })).release();
    },
  );

  it('that names nobody stays while its flock is held, however old', async () => {
    await (await acquireWriterLock(indexDir, { name: 'x', waitMs: 0 })).release();
    const held = openSync(path(), 'w');
    flock(held, 'exclusive');
    utimesSync(path(), 1, 1);
    await expect(acquireWriterLock(indexDir, { name: 'x', waitMs: 0 })).rejects.toThrow(/does not say who it is/);
    closeSync(held);
  });

  it('is given back when the one that was renamed proves to be another', async () => {
    await (await acquireWriterLock(indexDir, { name: 'x', waitMs: 0 })).release();
    writeFileSync(path(), encodeLock(record({ token: 'stale' })));
    const judged = openLock(indexDir, Date.now());
    if (judged === null) throw new Error('there is a lock');
    // Between the look and the rename another writer retires it and locks anew.
    renameSync(path(), `${path()}.gone`);
    writeFileSync(path(), encodeLock(record({ token: 'fresh' })));
    retireLock(indexDir, judged);
    closeSync(judged.fd);
    expect(decodeLock(readFileSync(path(), 'utf8'))?.token).toBe('fresh');
    expect(readdirSync(indexDir).filter((name) => name.endsWith('.retired'))).toEqual([]);
  });

  it('half made by a killed writer is swept by the next', async () => {
    await (await acquireWriterLock(indexDir, { name: 'x', waitMs: 0 })).release();
    writeFileSync(`${path()}.${'0'.repeat(16)}.new`, encodeLock(record()));
    writeFileSync(`${path()}.${'1'.repeat(16)}.retired`, '');
    const living = openSync(`${path()}.${'2'.repeat(16)}.new`, 'w');
    flock(living, 'exclusive');
    (await acquireWriterLock(indexDir, { name: 'x', waitMs: 0 })).release();
    expect(readdirSync(indexDir)).toEqual(['.gitignore', `extraction.lock.${'2'.repeat(16)}.new`]);
    closeSync(living);
  });
});

describe('whether a lock is stale', () => {
  const gone = { host: 'here', probe: () => null };
  const living = { host: 'here', probe: () => ({ start: 'boot:7' }) };
  const of = (more: Partial<LockRecord>) => record({ host: 'here', pidStarted: 'boot:7', ...more });
  it.each([
    ['its flock is held, its process gone', { record: of({}), ageMs: 1e9, flock: 'held' as const }, gone, false],
    ['young, its process gone', { record: of({}), ageMs: 0, flock: 'free' as const }, gone, true],
    ['young, its pid reused', { record: of({ pidStarted: 'boot:6' }), ageMs: 0, flock: 'free' as const }, living, true],
    ['young, its process living', { record: of({}), ageMs: 599_000, flock: 'free' as const }, living, false],
    ['old, its process living', { record: of({}), ageMs: 600_001, flock: 'free' as const }, living, true],
    ['old, no flock to be had', { record: of({}), ageMs: 600_001, flock: 'unknown' as const }, living, false],
    ['its process gone, no flock to be had', { record: of({}), ageMs: 0, flock: 'unknown' as const }, gone, true],
    ['naming nobody, a moment old', { record: null, ageMs: 4_000, flock: 'free' as const }, living, false],
    ['naming nobody, some seconds old', { record: null, ageMs: 6_000, flock: 'free' as const }, living, true],
    ['naming nobody, no flock to be had', { record: null, ageMs: 1e9, flock: 'unknown' as const }, gone, false],
    ['of another host, young', { record: of({ host: 'there' }), ageMs: 0, flock: 'free' as const }, gone, false],
    ['of an unknown host, young', { record: of({ host: null }), ageMs: 0, flock: 'free' as const }, gone, false],
    ['start unknown, living', { record: of({ pidStarted: null }), ageMs: 0, flock: 'free' as const }, living, false],
  ])('%s', (_, found, here, expected) => {
    expect(isStale(found, here)).toBe(expected);
  });

  it.each([
    '',
    '{',
    '[]',
    'null',
    '{"pid":0,"token":"t"}',
    '{"pid":1}',
    '{"pid":1.5,"token":"t"}',
    '{"pid":"1","token":"t"}',
  ])('a lock that says %j names nobody', (text) => {
    expect(decodeLock(text)).toBeNull();
  });

  it('a lock of a writer that says only what it must is understood', () => {
    expect(decodeLock('{"pid":7,"locked_at":"x","name":"rake","token":"t"}')).toEqual({
      pid: 7,
      lockedAt: 'x',
      name: 'rake',
      token: 't',
      host: null,
      pidStarted: null,
    });
  });
});
