import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flock, flockSupport } from '@woods/posix';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Started, script, start, temporaryDirectory } from './support/process.ts';

function lockFile(): string {
  const path = join(temporaryDirectory(), 'lock');
  writeFileSync(path, '0'.padStart(16));
  return path;
}

function opened(path: string): number {
  const fd = openSync(path, 'r');
  onTestFinished(() => closeSync(fd));
  return fd;
}

/** A process that holds the file open, and says what became of each asked lock. */
async function holder(path: string): Promise<{ ask(mode: string): Promise<string>; process: Started }> {
  const process_ = await start(process.execPath, [script('lock.mjs'), path]);
  expect(await process_.line()).toBe('ready');
  return {
    process: process_,
    ask: (mode) => {
      process_.child.stdin?.write(`${mode}\n`);
      return process_.line();
    },
  };
}

describe('flock', () => {
  it('is there', () => {
    expect(flockSupport()).toEqual({ ok: true });
  });

  it('keeps open files apart, in one process too: shared beside shared, exclusive beside nothing', () => {
    const path = lockFile();
    const [a, b] = [opened(path), opened(path)];
    expect(flock(a, 'shared')).toBe(true);
    expect(flock(b, 'shared')).toBe(true);
    expect(flock(b, 'exclusive')).toBe(false);
    expect(flock(a, 'unlock')).toBe(true);
    expect(flock(b, 'exclusive')).toBe(true);
    expect(flock(a, 'shared')).toBe(false);
  });

  it('says what is wrong with a descriptor', () => {
    expect(() => flock(999, 'shared')).toThrow(expect.objectContaining({ code: 'EBADF', syscall: 'flock' }));
  });

  it('keeps two processes apart, and is free at once when its holder is killed', async () => {
    const path = lockFile();
    const [first, second] = await Promise.all([holder(path), holder(path)]);
    expect(await first.ask('exclusive')).toBe('true');
    expect(await second.ask('exclusive')).toBe('false');
    expect(await second.ask('shared')).toBe('false');
    expect(await first.ask('shared')).toBe('true');
    expect(await second.ask('shared')).toBe('true');
    expect(await second.ask('exclusive')).toBe('false');
    const mine = opened(path);
    expect(flock(mine, 'exclusive')).toBe(false);
    await Promise.all([first.process.kill(), second.process.kill()]);
    expect(flock(mine, 'exclusive')).toBe(true);
  });

  it('lets two processes that hurry take turns', async () => {
    const path = lockFile();
    const runs = await Promise.all([1, 2].map(() => start(process.execPath, [script('take-turns.mjs'), path])));
    for (const run of runs) expect(await run.ended).toEqual([0, null]);
    expect(readFileSync(path, 'utf8').trim()).toBe('400');
  });
});

describe('koffi', () => {
  it('is loaded at the first call that needs it, and not for the process table', async () => {
    const lazy = await start(process.execPath, [script('lazy.mjs')]);
    expect(JSON.parse(await lazy.line())).toEqual({ atImport: false, afterProc: false, afterCall: true });
  });

  it('may be missing: what needs it says so, each time, and the rest works', async () => {
    const without = await start(process.execPath, [script('without-koffi.mjs')]);
    const said = JSON.parse(await without.line());
    const message = `expected koffi to load on ${process.platform}-${process.arch}, found: Cannot find the native Koffi module; install`;
    expect(said).toMatchObject({ support: { ok: false, reason: said.first }, below: true, loaded: false });
    expect(said.first).toContain(message);
    expect(said.second).toBe(said.first);
  });
});
