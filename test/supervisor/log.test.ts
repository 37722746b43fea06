import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { chooseColour, type LogOptions, openLog } from '../../packages/supervisor/src/log/log.ts';
import { openSink } from '../../packages/supervisor/src/log/sink.ts';
import type { Line } from '../../packages/supervisor/src/states/effect.ts';

const directory = mkdtempSync(join(tmpdir(), 'woods-log-'));
afterAll(() => rmSync(directory, { recursive: true }));

const LINE: Line = { level: 'warn', event: 'retrying', text: 'it failed', fields: { failures: 2 } };

function written(options: Partial<LogOptions>, ...lines: Line[]): string {
  const texts: string[] = [];
  const log = openLog((text) => void texts.push(text), {
    format: 'text',
    volume: 'normal',
    colour: 'plain',
    date: () => new Date(0),
    ...options,
  });
  for (const line of lines) log(line);
  return texts.join('');
}

describe('our own lines', () => {
  it('are text with a prefix, or JSON', () => {
    expect(written({}, LINE)).toBe('[woods-watch] it failed\n');
    expect(JSON.parse(written({ format: 'json' }, LINE))).toEqual({
      time: '1970-01-01T00:00:00.000Z',
      level: 'warn',
      event: 'retrying',
      message: 'it failed',
      failures: 2,
    });
  });

  it('stay one line each, and carry no control character of a child to the terminal', () => {
    expect(written({}, { ...LINE, text: 'a\nb\x1b[2Jc\u2028d' })).toBe('[woods-watch] a?b?[2Jc?d\n');
  });

  it('are coloured on a terminal only, unless NO_COLOR says otherwise', () => {
    expect(chooseColour({ isTerminal: true, env: {} })).toBe('colour');
    expect(chooseColour({ isTerminal: true, env: { NO_COLOR: '' } })).toBe('colour');
    expect(chooseColour({ isTerminal: true, env: { NO_COLOR: '1' } })).toBe('plain');
    expect(chooseColour({ isTerminal: true, env: { TERM: 'dumb' } })).toBe('plain');
    expect(chooseColour({ isTerminal: false, env: {} })).toBe('plain');
    expect(written({ colour: 'colour' }, LINE)).toContain('\x1b[33m[woods-watch]\x1b[0m it failed');
  });

  it('keep to warnings and errors when quiet', () => {
    expect(written({ volume: 'quiet' }, { ...LINE, level: 'info' }, LINE)).toBe('[woods-watch] it failed\n');
  });
});

describe('the way to stderr', () => {
  it('goes on in a file', () => {
    const path = join(directory, 'file');
    const fd = openSync(path, 'w');
    const sink = openSink(fd);
    sink('one\n');
    sink('two\n');
    closeSync(fd);
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  });

  it('drops lines when a pipe is full, waits for nobody, and leaves the flags of the pipe alone', () => {
    const path = join(directory, 'pipe');
    execFileSync('mkfifo', [path]);
    const reader = openSync(path, constants.O_RDWR);
    const writer = openSync(path, constants.O_WRONLY);
    const sink = openSink(writer);
    for (let n = 0; n < 2_000; n += 1) sink(`${'x'.repeat(99)}\n`);
    const flags = /flags:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${writer}`, 'utf8'))?.[1] ?? '';
    expect(Number.parseInt(flags, 8) & constants.O_NONBLOCK).toBe(0);
    expect(readSync(reader, Buffer.alloc(100))).toBe(100);
    closeSync(reader);
    closeSync(writer);
  });

  it('is no way at all when it is closed or full for ever', () => {
    expect(() => openSink(9_999)('x')).not.toThrow();
    const full = openSync('/dev/full', 'w');
    expect(() => openSink(full)('x')).not.toThrow();
    closeSync(full);
  });
});
