import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openBootFiles } from '../../packages/worker/src/boot/boot-files.ts';
import { captureBoot } from '../../packages/worker/src/boot/capture.ts';
import { digestOf } from '../../packages/worker/src/boot/digest.ts';
import { makeProject, removeProjects, save } from '../support/project.ts';

afterEach(removeProjects);

const capture = (root: string) => captureBoot({ root, indexDir: join(root, 'tmp/woods'), include: [], exclude: [] });
const none: ReadonlySet<string> = new Set();

describe('captureBoot', () => {
  it('holds every restart-class file of the tree, and nothing else', async () => {
    const root = makeProject({ 'packages/a/package.json': '{}', 'packages/a/tsconfig.build.json': '{}', '.npmrc': '' });
    save(root, 'node_modules/x/package.json', '{}');
    const { digests } = await capture(root);
    const existing = digests.filter(([, digest]) => digest !== 'absent').map(([path]) => path);
    expect(existing.sort()).toEqual([
      ...['.npmrc', 'package.json', 'packages/a/package.json', 'packages/a/tsconfig.build.json', 'tsconfig.json'],
    ]);
  });

  it('learns what the tsconfig files extend: by path, through others, as a package, inside comments not', async () => {
    const root = makeProject({
      'tsconfig.json': '{ // "extends": "./no.json"\n "extends": ["./config/base", "@acme/tsconfig/node.json",], }',
      'config/base.json': '{ "extends": "../shared/strict.json" }',
      'shared/strict.json': '{}',
    });
    save(root, 'node_modules/@acme/tsconfig/node.json', '{}');
    const { extended, hidden } = await capture(root);
    const targets = ['config/base.json', 'node_modules/@acme/tsconfig/node.json', 'shared/strict.json'];
    expect(extended).toEqual(expect.arrayContaining(targets));
    expect(extended.some((path) => path.startsWith('..'))).toBe(false);
    // Installations say themselves what they changed there.
    expect(hidden).not.toContain('node_modules/@acme/tsconfig/node.json');
    expect(hidden).not.toContain('config/base.json');
  });

  it('names an extended file that is ignored', async () => {
    const root = makeProject({
      'tsconfig.json': '{ "extends": "./.generated/tsconfig.json" }',
      '.gitignore': '.generated/\n',
    });
    expect((await capture(root)).hidden).toContain('.generated/tsconfig.json');
  });

  it('names what has to be watched although it is ignored', async () => {
    const root = makeProject({ '.gitignore': 'node_modules/\n.env*\n' });
    save(root, '.env.local', 'A=1\n');
    const { hidden } = await capture(root);
    expect(hidden).toEqual(
      expect.arrayContaining(['.env.local', 'node_modules/.package-lock.json', 'node_modules/.modules.yaml']),
    );
  });

  it("finds git's own directory, also of a linked worktree", async () => {
    const root = makeProject();
    expect((await capture(root)).gitDir).toBe(join(root, '.git'));
    execFileSync('git', ['-C', root, 'worktree', 'add', '-q', 'linked'], { stdio: 'ignore' });
    expect((await capture(join(root, 'linked'))).gitDir).toBe(join(root, '.git/worktrees/linked'));
  });

  it('ends for configurations that extend each other in a circle', async () => {
    const root = makeProject({
      'tsconfig.json': '{"extends":"./tsconfig.b"}',
      'tsconfig.b.json': '{"extends":"./tsconfig.json"}',
    });
    expect((await capture(root)).extended).toEqual(expect.arrayContaining(['tsconfig.json', 'tsconfig.b.json']));
  });
});

describe('boot files', () => {
  async function booted(root: string) {
    const { digests } = await capture(root);
    return openBootFiles(root, digests);
  }

  it('have not changed when they are touched, rewritten alike, or replaced by an equal file', async () => {
    const root = makeProject();
    const files = await booted(root);
    save(root, 'package.json', execFileSync('cat', [join(root, 'package.json')], { encoding: 'utf8' }));
    expect(await files.changed(new Set(['package.json']), none)).toEqual([]);
    expect(await files.allChanged()).toEqual([]);
  });

  it('have changed when they are edited, removed or new', async () => {
    const root = makeProject();
    const files = await booted(root);
    save(root, 'tsconfig.json', '{}');
    unlinkSync(join(root, 'package.json'));
    save(root, 'packages/new/package.json', '{}');
    const asked = new Set(['tsconfig.json', 'package.json', 'packages/new/package.json', '.npmrc']);
    expect(await files.changed(asked, none)).toEqual(['tsconfig.json', 'package.json', 'packages/new/package.json']);
    expect([...(await files.allChanged())].sort()).toEqual(['package.json', 'tsconfig.json']);
  });

  it('are found below a directory that went away as a whole', async () => {
    const root = makeProject({ 'packages/a/package.json': '{}', 'packages/ab/package.json': '{}' });
    const files = await booted(root);
    rmSync(join(root, 'packages'), { recursive: true });
    expect(await files.changed(none, new Set(['packages/a']))).toEqual(['packages/a/package.json']);
  });
});

describe('digestOf', () => {
  it('tells contents, absence and everything that is no file apart, and never hangs', async () => {
    const root = makeProject();
    const at = (name: string) => join(root, name);
    execFileSync('mkfifo', [at('fifo')]);
    mkdirSync(at('directory'));
    symlinkSync('package.json', at('link'));
    symlinkSync('nowhere', at('dangling'));
    writeFileSync(at('large'), Buffer.alloc(9 * 1024 * 1024, 7));
    expect(await digestOf(at('package.json'))).toMatch(/^[0-9a-f]{64}$/);
    expect(await digestOf(at('link'))).toBe(await digestOf(at('package.json')));
    expect(await digestOf(at('large'))).toMatch(/^[0-9a-f]{64}$/);
    expect([
      await digestOf(at('missing')),
      await digestOf(at('dangling')),
      await digestOf(at('package.json/x')),
    ]).toEqual(Array(3).fill('absent'));
    expect([await digestOf(at('fifo')), await digestOf(at('directory'))]).toEqual(['unreadable', 'unreadable']);
  });
});
