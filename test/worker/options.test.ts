import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '@woods/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareIndexDirectory } from '../../packages/worker/src/boot/index-directory.ts';
import { argumentsOf } from '../../packages/worker/src/run/arguments.ts';
import { readSettings } from '../../packages/worker/src/run/options.ts';

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'woods-options-')));
  writeFileSync(join(place, 'package.json'), '{}');
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const managed = { WOODS_WATCH_EVENT_FD: '3', WOODS_WATCH_LAUNCHER_TOKEN: 'l', WOODS_WATCH_ATTEMPT_TOKEN: 'a' };

describe('the command line', () => {
  it('takes the options of woods watch', () => {
    const argv =
      '--root x --output y --backend polling --interval 0.5 --once --max-seconds 9 --idle-timeout 3 --max-files 7';
    expect(argumentsOf(argv.split(' '))).toEqual({
      ...{
        root: 'x',
        output: 'y',
        backend: 'polling',
        interval: 0.5,
        once: true,
        maxSeconds: 9,
        idleTimeout: 3,
        maxFiles: 7,
      },
    });
    expect(Object.values(argumentsOf([])).every((value) => value === undefined)).toBe(true);
  });

  it.each([
    [['--verbose'], /--verbose.*the options are --root/],
    [['extra'], /extra/],
    [['--backend', 'magic'], /auto, inotify, fsevents, polling; found magic/],
    [['--interval', 'soon'], /--interval must be a number above 0; found soon/],
    [['--max-seconds', '0'], /--max-seconds .* found 0/],
    [['--max-files', ''], /--max-files/],
    [['--root'], /--root/],
  ])('refuses %j', (argv, words) => {
    expect(() => argumentsOf(argv)).toThrow(UsageError);
    expect(() => argumentsOf(argv)).toThrow(words);
  });
});

describe('readSettings', () => {
  it('finds the root by the one rule, and takes the working directory literally when it is managed', () => {
    mkdirSync(join(place, 'packages/a'), { recursive: true });
    writeFileSync(join(place, 'woods.json'), '{}');
    const below = join(place, 'packages/a');
    expect(readSettings({}, {}, below).root).toBe(place);
    expect(readSettings({}, managed, below).root).toBe(below);
    expect(readSettings({ root: '.' }, { ...managed, PWD: below }, realpathSync('.')).root).toBe(realpathSync('.'));
    expect(() => readSettings({ root: place }, managed, below)).toThrow(/give --root to woods-watch/);
  });

  it('refuses an idle time-out under a supervisor, and ignores the one of the project there', () => {
    expect(() => readSettings({ idleTimeout: 3 }, managed, place)).toThrow(/--idle-timeout/);
    expect(() => readSettings({}, { ...managed, WOODS_WATCH_IDLE_TIMEOUT: '3' }, place)).toThrow(
      /WOODS_WATCH_IDLE_TIMEOUT/,
    );
    writeFileSync(join(place, 'woods.json'), '{ "watch": { "idleTimeout": 3 } }');
    expect(readSettings({}, managed, place).idleTimeoutMs).toBeNull();
    expect(readSettings({}, {}, place).idleTimeoutMs).toBe(3000);
    expect(readSettings({ idleTimeout: 0.5 }, { WOODS_WATCH_IDLE_TIMEOUT: '9' }, place).idleTimeoutMs).toBe(500);
  });

  it('skips the claim on request, in unmanaged runs only', () => {
    expect(readSettings({}, { WOODS_IGNORE_WATCH: '1' }, place).claim).toBe('skip');
    expect(readSettings({}, { ...managed, WOODS_IGNORE_WATCH: '1' }, place).claim).toBe('take');
    expect(readSettings({}, {}, place).claim).toBe('take');
  });

  it('lets the option, then the variable, then the project decide', () => {
    writeFileSync(join(place, 'woods.json'), '{ "watch": { "poll": "never" } }');
    expect(readSettings({}, {}, place).backend).toMatch(/^(inotify|fsevents)$/);
    expect(readSettings({}, { WOODS_WATCH_POLL: '1' }, place).backend).toBe('polling');
    expect(readSettings({ backend: 'auto' }, { WOODS_WATCH_POLL: '1' }, place).backend).toBe('auto');
    expect(readSettings({ maxFiles: 7, interval: 0.25 }, {}, place).config.watch).toMatchObject({
      fullThreshold: 7,
      intervalMs: 250,
    });
  });
});

describe('the index directory', () => {
  it('is made, for others to read, and hides itself from git', () => {
    const at = join(place, 'deep/tmp/woods');
    prepareIndexDirectory(at);
    expect(statSync(at).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(at, '.gitignore'), 'utf8')).toBe('*\n');
    prepareIndexDirectory(at);
  });

  it.each([
    ['a file', (at: string) => writeFileSync(at, 'x'), /file/],
    ['a link', (at: string) => symlinkSync(place, at), /link/],
    ['a dangling link', (at: string) => symlinkSync('nowhere', at), /link/],
    ['below a file', (at: string) => writeFileSync(join(at, '..'), 'x'), /a part of the path is a file/],
  ])('is refused when it is %s, in one line that says what to do', (name, make, words) => {
    const at = name === 'below a file' ? join(place, 'file/woods') : join(place, 'woods');
    make(at);
    const before = existsSync(at) && statSync(at).isFile() ? readFileSync(at, 'utf8') : null;
    expect(() => prepareIndexDirectory(at)).toThrow(UsageError);
    expect(() => prepareIndexDirectory(at)).toThrow(words);
    expect(() => prepareIndexDirectory(at)).toThrow(/--output/);
    if (before !== null) expect(readFileSync(at, 'utf8')).toBe(before);
  });

  it.skipIf(process.getuid?.() === 0)('is refused when it is read-only', () => {
    const at = join(place, 'woods');
    mkdirSync(at);
    chmodSync(at, 0o555);
    expect(() => prepareIndexDirectory(at)).toThrow(/writable/);
    chmodSync(at, 0o755);
  });
});
