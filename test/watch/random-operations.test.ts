import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Batch } from '../../packages/watch/src/backend/batch.ts';
import { createBackend } from '../../packages/watch/src/backend/create.ts';
import { isAtOrBelow } from '../../packages/watch/src/bytes/path.ts';
import { optionsFor, repository } from './support/tree.ts';
import { BACKENDS } from './support/watching.ts';

type Operation =
  | { readonly kind: 'write' | 'rewrite_unnoticed' | 'remove'; readonly path: string }
  | { readonly kind: 'move'; readonly from: string; readonly to: string }
  | { readonly kind: 'rules'; readonly text: string }
  | { readonly kind: 'listen' };

const above = fc.constantFrom('', 'a/', 'b/', 'a/c/', 'b/c/d/');
const file = fc.tuple(above, fc.constantFrom('1.ts', '2.ts', '3.ts', 'x.tmp')).map((parts) => parts.join(''));
const entry = fc.oneof(file, fc.constantFrom('a', 'b', 'b/c', 'e'));

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('write' as const), path: file }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('rewrite_unnoticed' as const), path: file }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), path: entry }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), from: entry, to: entry }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('rules' as const), text: fc.constantFrom('*.tmp\n', '/a/c\n', '') }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'listen' as const }) },
);

const SETTLED_MS = 60_000;

describe.each(BACKENDS)('a mirror that only looks at what %s tells', (choice) => {
  it('equals the tree after any operations', { timeout: 120_000 }, async () => {
    const operations = fc.array(operation, { minLength: 40, maxLength: 120, size: 'max' });
    // Shrinking would take minutes; the seed is enough to come back.
    await fc.assert(
      fc.asyncProperty(operations, (done) => mirrorEqualsTree(done, choice)),
      { numRuns: 12, endOnFailure: true },
    );
  });
});

async function mirrorEqualsTree(operations: readonly Operation[], choice: (typeof BACKENDS)[number]): Promise<void> {
  const root = repository();
  const backend = await createBackend({
    ...optionsFor(root),
    extra: [],
    intervalMs: 1,
    choice,
    warn: expect.unreachable,
  });
  try {
    await backend.start();
    const mirror = new Map<string, string>();
    for (const [step, what] of operations.entries()) {
      if (what.kind === 'listen') lookAt(await backend.wait(2), root, mirror);
      else tolerant(() => operate(root, what, step));
    }
    const rules = tolerant(() => readFileSync(join(root, '.gitignore'), 'utf8').trim()) ?? '';
    const wanted = withoutIgnored(contentsOf(root), rules);
    const isEqual = (): boolean => isDeepStrictEqual(withoutIgnored(mirror, rules), wanted);
    // Scans after changes of the rules may have to wait for each other.
    const deadline = performance.now() + SETTLED_MS;
    while (!isEqual() && performance.now() < deadline) lookAt(await backend.wait(1_000), root, mirror);
    expect(withoutIgnored(mirror, rules)).toEqual(wanted);
  } finally {
    await backend.close();
  }
}

function operate(root: string, what: Exclude<Operation, { kind: 'listen' }>, step: number): void {
  if (what.kind === 'rules') {
    writeFileSync(join(root, '.gitignore'), what.text);
  } else if (what.kind === 'move') {
    mkdirSync(dirname(join(root, what.to)), { recursive: true });
    renameSync(join(root, what.from), join(root, what.to));
  } else if (what.kind === 'remove') {
    rmSync(join(root, what.path), { recursive: true });
  } else if (what.kind === 'write') {
    mkdirSync(dirname(join(root, what.path)), { recursive: true });
    writeFileSync(join(root, what.path), `written at ${step}`);
  } else {
    rewriteUnnoticed(join(root, what.path), step);
  }
}

/** Other contents of the same length with the same mtime. */
function rewriteUnnoticed(path: string, step: number): void {
  const { atime, mtime, size } = statSync(path);
  writeFileSync(path, `${step}`.padEnd(size, '.').slice(0, size));
  utimesSync(path, atime, mtime);
}

/** Operations meet files where directories are wanted and the other way round; the tree then stays as it is. */
function tolerant<T>(action: () => T): T | null {
  try {
    return action();
  } catch {
    return null;
  }
}

function lookAt({ paths, dirs, overflow }: Batch, root: string, mirror: Map<string, string>): void {
  expect(overflow).toBe(false);
  for (const directory of dirs) {
    for (const path of [...mirror.keys()]) if (isAtOrBelow(path, directory)) mirror.delete(path);
    const there = tolerant(() => statSync(join(root, directory)).isDirectory()) ?? false;
    for (const path of there ? contentsOf(join(root, directory)).keys() : [])
      lookAtOne(join(directory, path), root, mirror);
  }
  for (const told of paths) lookAtOne(told, root, mirror);
}

function lookAtOne(path: string, root: string, mirror: Map<string, string>): void {
  const text = tolerant(() => readFileSync(join(root, path), 'utf8'));
  if (text === null) mirror.delete(path);
  else mirror.set(path, text);
}

function contentsOf(root: string): Map<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((found) => found.isFile());
  const paths = entries.map((found) => join(found.parentPath, found.name).slice(root.length + 1));
  const own = paths.filter((path) => !path.startsWith('.git/'));
  return new Map(own.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** An ignored file may be in the mirror or not: it was told when it became ignored, and looked at then. */
function withoutIgnored(files: ReadonlyMap<string, string>, rules: string): object {
  const hidden = (path: string): boolean =>
    rules === '*.tmp'
      ? path.split('/').some((name) => name.endsWith('.tmp'))
      : rules !== '' && `/${path}/`.startsWith(`${rules}/`);
  return Object.fromEntries([...files].filter(([path]) => !hidden(path)).sort());
}
