import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { gitEnvironment } from '../../../packages/watch/src/git/run.ts';
import type { TreeOptions } from '../../../packages/watch/src/ignore/rules.ts';

/** A directory of its own for one test, gone afterwards. */
export function temporaryDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'woods-watch-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Keeps the personal settings of whoever runs the tests out of them; returns the home that git sees instead. */
export function strangerHome(): string {
  const home = temporaryDirectory();
  process.env.HOME = home;
  delete process.env.XDG_CONFIG_HOME;
  return home;
}

export function write(root: string, path: string, text = ''): void {
  const absolute = join(root, path);
  mkdirSync(dirname(absolute), { recursive: true });
  writeFileSync(absolute, text);
}

/** A new tree with these files, outside of any repository. */
export function tree(files: Record<string, string> = {}): string {
  strangerHome();
  const root = join(temporaryDirectory(), 'root');
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) write(root, path, text);
  return root;
}

/** A new tree with these files and a repository that tracks none of them. */
export function repository(files: Record<string, string> = {}): string {
  const root = tree(files);
  git(root, 'init', '-q');
  return root;
}

export function git(root: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', ['-C', root, ...identity, ...args], {
    env: gitEnvironment(process.env),
    encoding: 'latin1',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export function optionsFor(root: string, more: Partial<TreeOptions> = {}): TreeOptions {
  return { root, indexDir: join(root, 'tmp/woods'), include: [], exclude: [], ...more };
}
