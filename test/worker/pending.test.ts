import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodePending, encodePending, loadPending, savePending } from '../../packages/worker/src/pending/file.ts';
import {
  isNothingPending,
  MAX_PENDING_PATHS,
  mergePending,
  NOTHING_PENDING,
  type Pending,
  pendingPaths,
  WHOLE_TREE_PENDING,
} from '../../packages/worker/src/pending/pending.ts';

const path = fc.stringMatching(/^[a-z"\\\n\u00e9]{1,8}(\/[a-z]{1,8}){0,3}$/);
const pending: fc.Arbitrary<Pending> = fc.oneof(
  fc.array(path, { maxLength: 20 }).map(pendingPaths),
  fc.constant(WHOLE_TREE_PENDING),
  fc.constant(NOTHING_PENDING),
);

/** What both owe, `a` owes at least. */
function covers(a: Pending, b: Pending): boolean {
  return a.wholeTree || (!b.wholeTree && [...b.paths].every((one) => a.paths.has(one)));
}

describe('pending', () => {
  it('loses nothing when merged', () => {
    fc.assert(
      fc.property(pending, pending, (a, b) => {
        const both = mergePending(a, b);
        expect(covers(both, a) && covers(both, b)).toBe(true);
      }),
    );
  });

  it('owes the whole tree instead of more names than it holds', () => {
    const many = Array.from({ length: MAX_PENDING_PATHS + 1 }, (_, at) => `src/${at}.ts`);
    expect(pendingPaths(many)).toEqual(WHOLE_TREE_PENDING);
    expect(pendingPaths(many.slice(1)).wholeTree).toBe(false);
    expect(mergePending(pendingPaths(many.slice(1)), pendingPaths(['src/0.ts']))).toEqual(WHOLE_TREE_PENDING);
  });

  it('owes the whole tree instead of more bytes than it holds', () => {
    expect(pendingPaths(Array.from({ length: 300 }, (_, at) => `${at}/${'x'.repeat(4000)}`))).toEqual(
      WHOLE_TREE_PENDING,
    );
  });

  it('survives encoding, whatever the names', () => {
    fc.assert(
      fc.property(pending, (one) => {
        expect(decodePending(encodePending(one))).toEqual(one);
      }),
    );
  });

  it('owes the whole tree for text that it did not write', () => {
    const foreign = ['', 'null', '[]', '{"version":2,"whole_tree":false,"paths":[]}', '{"version":1,"paths":[]}'];
    const lying = ['../up.ts', '/etc/passwd', 'a/../../b', '', 7].map((one) =>
      JSON.stringify({ version: 1, whole_tree: false, paths: [one] }),
    );
    for (const text of [...foreign, ...lying]) expect(decodePending(text)).toEqual(WHOLE_TREE_PENDING);
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(decodePending(text)).toEqual(WHOLE_TREE_PENDING);
      }),
    );
  });
});

describe('watch_pending.json', () => {
  let place: string;
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'woods-pending-'));
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));
  const file = () => join(place, 'watch_pending.json');

  it('is private, comes back as it was saved, and is gone when nothing is owed', () => {
    savePending(place, pendingPaths(['src/a.ts']));
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect([...loadPending(place).paths]).toEqual(['src/a.ts']);
    savePending(place, NOTHING_PENDING);
    expect(existsSync(file())).toBe(false);
    expect(isNothingPending(loadPending(place))).toBe(true);
  });

  it('owes the whole tree when it cannot be read: torn, a link, a directory', () => {
    writeFileSync(file(), '{"version":1,"whole_tree":fal');
    expect(loadPending(place)).toEqual(WHOLE_TREE_PENDING);
    rmSync(file());
    symlinkSync('/etc/passwd', file());
    expect(loadPending(place)).toEqual(WHOLE_TREE_PENDING);
    rmSync(file());
    chmodSync(place, 0o755);
    writeFileSync(file(), 'x'.repeat(16 * 1024 * 1024));
    expect(loadPending(place)).toEqual(WHOLE_TREE_PENDING);
  });
});
