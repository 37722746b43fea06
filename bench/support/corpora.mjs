/**
 * Real repositories to measure on. WOODS_CORPORA names a directory that holds a checkout of each under its short name;
 * a bench that needs one says so and is skipped where it is not set.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Path of the repository `name`, or null with a word on stdout. */
export function corpus(name) {
  const home = process.env.WOODS_CORPORA;
  const path = home && join(home, name);
  if (path && existsSync(join(path, '.git'))) return path;
  process.stdout.write(`  skipped: set WOODS_CORPORA to a directory that holds a git checkout named ${name}\n`);
  return null;
}

/** A copy to change at will; `remove()` it in the end. */
export function workingCopy(path) {
  const place = mkdtempSync(join(tmpdir(), 'woods-bench-'));
  const root = join(place, 'tree');
  cpSync(path, root, { recursive: true, verbatimSymlinks: true });
  rmSync(join(root, 'tmp/woods'), { recursive: true, force: true });
  rmSync(join(root, '.git/woods'), { recursive: true, force: true });
  return { root, remove: () => rmSync(place, { recursive: true, force: true, maxRetries: 3 }) };
}

export function commitOf(path) {
  return execFileSync('git', ['-C', path, 'rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim();
}
