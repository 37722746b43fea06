import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePath, displayPath } from '../../packages/watch/src/bytes/path.ts';
import { openIgnore } from '../../packages/watch/src/ignore/rules.ts';
import { scanTree } from '../../packages/watch/src/scan/tree.ts';
import { directoryOf, generatedTree, writeTree } from './support/generated-tree.ts';
import { git, optionsFor, strangerHome, temporaryDirectory } from './support/tree.ts';

const TREES = Number(process.env.WOODS_TEST_TREES ?? 60);

describe('ignore rules', () => {
  it(`are git's own on ${TREES} generated trees, from the top and from a directory inside`, {
    timeout: 300_000,
  }, () => {
    const home = strangerHome();
    const root = join(temporaryDirectory(), 'root');
    fc.assert(
      fc.property(generatedTree, (made) => {
        rmSync(root, { recursive: true, force: true });
        rmSync(join(home, '.config'), { recursive: true, force: true });
        mkdirSync(root);
        git(root, 'init', '-q');
        writeTree(made, root, home);
        compareWithGit(root, made.files);
        const inside = made.files
          .map(({ path }) => directoryOf(path))
          .find((path) => path !== '' && decodePath(path) !== null);
        if (inside !== undefined) compareWithGit(join(root, decodePath(inside) ?? ''), []);
      }),
      { numRuns: TREES },
    );
  });
});

function compareWithGit(root: string, files: readonly { path: string }[]): void {
  const told = git(root, 'ls-files', '-z', '-co', '--exclude-standard').split('\0').slice(0, -1);
  const options = optionsFor(root);
  const scan = scanTree({ root, ignore: openIgnore(options) });
  const ours = scan.files.map(({ path }) => path);
  const outerIgnoresRoot = told.length === 0 && ours.length > 0;
  // A root that the repository around it ignores is judged without it (README), where git shows nothing.
  if (outerIgnoresRoot && files.length === 0) return;
  expect(ours.map(displayPath).sort()).toEqual(told.map(displayPath).sort());
  const ignore = openIgnore(options);
  const kept = new Set(ours);
  for (const { path } of files)
    expect([displayPath(path), ignore.ignores(path, 'file')]).toEqual([displayPath(path), !kept.has(path)]);
}
