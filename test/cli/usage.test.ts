/** Calls that cannot be understood, and trees and indexes that cannot be used: the words and the exit code of each. */
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeProject, removeProjects } from '../support/project.ts';
import { inProcess } from './support/in-process.ts';
import { objectOn } from './support/json.ts';
import { indexOf } from './support/status.ts';
import { type Ended, type Surroundings, woods } from './support/woods.ts';

let root = '';
beforeEach(() => {
  root = makeProject();
});
afterEach(removeProjects);

const COMMANDS: readonly (readonly string[])[] = [
  ['extract'],
  ['incremental'],
  ['watch', '--once'],
  ['watch-status'],
  ['watch-recover', '--token', 'ab'.repeat(32)],
  ['lookup', 'x'],
  ['search', 'x'],
  ['deps', 'x'],
  ['stats'],
  ['validate'],
  ['export', '--canonical'],
  ['clean'],
];
const READING = COMMANDS.filter(([name]) => ['lookup', 'search', 'deps', 'stats', 'export'].includes(name ?? ''));

describe('a call that cannot be understood ends with 2, words on stderr and nothing on stdout', () => {
  it.each([
    [[], /expected a command; `woods --help` lists them/],
    [['lokup', 'x'], /unknown command 'lokup'; did you mean lookup\?/],
    [['frobnicate'], /unknown command 'frobnicate'; `woods --help` lists the commands/],
    [['lookup'], /missing required argument 'name'; `woods lookup --help`/],
    [['lookup', 'a', 'b'], /too many arguments for 'lookup'/],
    [['lookup', 'a', '--jsn'], /unknown option '--jsn'; did you mean --json\?/],
    [['--root', '.', 'stats'], /unknown option '--root'; options follow the command/],
    [['stats', '--root'], /option '--root <path>' argument missing/],
    [
      ['deps', 'a', '--depth', '0'],
      /'--depth <steps>' argument '0' is invalid. Expected a whole number from 1 to 1000;/,
    ],
    [['deps', 'a', '--depth', '1e3'], /argument '1e3' is invalid/],
    [['deps', 'a', '--limit', '99999999999999999999'], /is invalid/],
    [['deps', 'a', '--via', 'call,,new'], /Expected names joined by commas/],
    [['search', 'a', '--match', 'fuzzy'], /Allowed choices are any, exact, prefix, suffix, substring, regex/],
    [['search', 'a', '--limit', '-1'], /is invalid/],
    [['watch', '--backend', 'kqueue'], /Allowed choices are auto, inotify, fsevents, polling/],
    [['watch-recover'], /required option '--token <token>' not specified/],
    [['watch-recover', '--token', 'abc'], /Expected the 64 hex digits that the refused worker named/],
    [['watch', '--interval', 'soon'], /Expected seconds above 0/],
    [['watch', '--idle-timeout', '0'], /Expected seconds above 0/],
    [['watch', '--max-files', '2.5'], /Expected a whole number/],
    [['export'], /required option '--canonical' not specified/],
  ])('%j', async (args, words) => {
    const { code, stdout, stderr } = await called(args, { cwd: root });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it('is an object on stdout with --json, beside the words', async () => {
    const { code, stdout, stderr } = await woods(['lookup', '--json', '--jsn', 'a'], { cwd: root });
    expect(code).toBe(2);
    expect(objectOn(stdout)).toEqual({
      error: { code: 'invalid_arguments', message: "unknown option '--jsn'", hint: 'did you mean --json?' },
    });
    expect(stderr).toBe("woods: unknown option '--jsn'; did you mean --json?\n");
  });
});

describe('a root that cannot be used ends with 2, in every command', () => {
  it.each(COMMANDS.map((args) => [args[0], args]))('%s', async (_, args) => {
    const { code, stdout, stderr } = await called([...args, '--root', 'no/such/place'], { cwd: root });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/expected --root to be a readable directory, found .*there is no such directory/);
  });

  it.each(COMMANDS.map((args) => [args[0], args]))(
    '%s: an empty one, of a variable that is not set',
    async (_, args) => {
      const { code, stdout, stderr } = await called([...args, '--root', ''], { cwd: root });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/--root takes a directory; found an empty text/);
    },
  );

  it.each([
    ['a file', () => 'package.json', /found a file/],
    ['a loop of links', linkLoop, /circle/],
  ])('%s', async (_, make, words) => {
    const { code, stderr } = await inProcess(['stats', '--root', make()], { cwd: root });
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });

  it.runIf(process.getuid?.() === 0)('one that may not be read', async () => {
    mkdirSync(join(root, 'locked'));
    chmodSync(join(root, 'locked'), 0o000);
    chmodSync(root, 0o755);
    const { code, stderr } = await woods(['stats', '--root', 'locked'], { cwd: root, uid: 65_534 });
    expect(code).toBe(2);
    expect(stderr).toMatch(/permission denied/);
  });

  it('no project around the current directory', async () => {
    const { code, stderr } = await inProcess(['stats'], { cwd: '/' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/expected woods.json, .git or package.json in "\/" or above it, found none/);
  });
});

describe('a configuration that cannot be used ends with 2', () => {
  it.each([
    ['{"outptu": "x"}', /unknown key "outptu"; did you mean "output"\?/],
    ['{"maxFileBytes": "much"}', /maxFileBytes": expected a positive integer, found "much"/],
    ['{"output"', /expected JSON/],
  ])('woods.json: %s', async (text, words) => {
    writeFileSync(join(root, 'woods.json'), text);
    const { code, stderr } = await inProcess(['stats'], { cwd: root });
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });

  it('WOODS_LOCK_WAIT', async () => {
    const { code, stderr } = await inProcess(['extract'], { cwd: root, env: { WOODS_LOCK_WAIT: 'long' } });
    expect(code).toBe(2);
    expect(stderr).toMatch(/WOODS_LOCK_WAIT: expected seconds from 0 to 86400, found "long"/);
  });

  it('an index around the tree', async () => {
    const { code, stderr } = await inProcess(['extract', '--output', '.'], { cwd: root });
    expect(code).toBe(2);
    expect(stderr).toMatch(/expected the index directory to be below the root or beside it/);
  });
});

describe('an index directory that is none ends with 2, in every command that uses it', () => {
  it.each(COMMANDS.filter(([name]) => name !== 'watch-status').map((args) => [args[0], args]))(
    '%s',
    async (_, args) => {
      mkdirSync(join(root, 'tmp'));
      writeFileSync(indexOf(root), 'a file');
      const file = await called(args, { cwd: root });
      expect(file).toMatchObject({ code: 2, stdout: '' });
      expect(file.stderr).toMatch(/tmp\/woods.*a file/);
      rmSync(indexOf(root));
      mkdirSync(join(root, 'tmp/else'));
      symlinkSync('else', indexOf(root));
      const link = await called(args, { cwd: root });
      expect(link).toMatchObject({ code: 2, stdout: '' });
      expect(link.stderr).toMatch(/tmp\/woods.*a symbolic link/);
    },
  );

  it.each(READING.map((args) => [args[0], args]))('%s: a file in the place of its parent', async (_, args) => {
    writeFileSync(join(root, 'tmp'), 'a file');
    const { code, stderr } = await inProcess(args, { cwd: root });
    expect(code).toBe(2);
    expect(stderr).toMatch(/expected a directory at .*tmp\/woods, found a file in the place of a part of that path/);
  });

  it.each([['extract'], ['incremental'], ['watch']])('%s: one that holds the files of others', async (name) => {
    const before = readdirSync(join(root, 'src'));
    const { code, stderr } = await woods([name, '--output', 'src'], { cwd: root });
    expect(code).toBe(2);
    expect(stderr).toMatch(/must be empty or one that Woods made, but it holds .*; choose another with --output/);
    expect(readdirSync(join(root, 'src'))).toEqual(before);
  });

  it.runIf(process.getuid?.() === 0).each([['extract'], ['incremental'], ['watch']])(
    '%s: one that may not be written',
    async (name) => {
      chmodSync(root, 0o755);
      mkdirSync(indexOf(root), { recursive: true });
      const { code, stderr } = await woods([name], { cwd: root, uid: 65_534 });
      expect(code).toBe(2);
      expect(stderr).toMatch(/the index directory .*tmp\/woods.*(EACCES|permission denied)/);
    },
  );
});

describe('no index, or one that cannot be read, ends with 1 and says what to do', () => {
  it.each(READING.map((args) => [args[0], args]))('%s: none', async (_, args) => {
    const { code, stdout, stderr } = await inProcess([...args, '--json'], { cwd: root });
    expect(code).toBe(1);
    expect(stderr).toMatch(/there is no index in .*tmp\/woods; run `npx woods-watch` to keep one, or `woods extract`/);
    expect(objectOn(stdout)).toMatchObject({ error: { code: 'empty_index' }, watch: { alive: false } });
  });

  it.each(READING.map((args) => [args[0], args]))(
    '%s: a pointer that is torn, and a payload that is gone',
    async (_, args) => {
      mkdirSync(indexOf(root), { recursive: true });
      const pointer = join(indexOf(root), 'generation.json');
      writeFileSync(pointer, '{"number": 4');
      const torn = await inProcess([...args, '--json'], { cwd: root });
      expect(torn.code).toBe(1);
      expect(torn.stderr).toMatch(/generation.json: .*run woods extract/);
      expect(objectOn(torn.stdout)).toMatchObject({ error: { code: 'corrupt_artifact' } });
      writeFileSync(
        pointer,
        JSON.stringify({
          number: 4,
          token: '0123456789abcdef',
          updated_at: '2026-01-01T00:00:00Z',
          reason: 'full',
          payload: 'payloads/gen-4',
        }),
      );
      const gone = await called(args, { cwd: root });
      expect(gone.code).toBe(1);
      expect(gone.stderr).toMatch(/generation 4 names "payloads\/gen-4", which is gone; run `woods extract`/);
    },
  );
});

/** A worker has the working directory of its process. */
function called(args: readonly string[], surroundings: Surroundings): Promise<Ended> {
  return args[0] === 'watch' ? woods(args, surroundings) : inProcess(args, surroundings);
}

function linkLoop(): string {
  symlinkSync('b', join(root, 'a'));
  symlinkSync('a', join(root, 'b'));
  return 'a';
}
