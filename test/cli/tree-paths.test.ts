import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { treePaths } from '../../packages/cli/src/writing/tree-paths.ts';

const place = realpathSync(mkdtempSync(join(tmpdir(), 'woods-paths-')));
const root = join(place, 'tree');
mkdirSync(join(root, 'src'), { recursive: true });
symlinkSync(root, join(place, 'link'));
afterAll(() => rmSync(place, { recursive: true }));

const one = (typed: string, cwd: string) => [...treePaths([typed], { root, cwd })];

describe('treePaths', () => {
  it.each([
    ['src/a.ts', root, 'src/a.ts'],
    ['a.ts', join(root, 'src'), 'src/a.ts'],
    ['../b.ts', join(root, 'src'), 'b.ts'],
    ['.', root, ''],
    [join(root, 'src/a.ts'), '/', 'src/a.ts'],
    [join(place, 'link/src/a.ts'), '/', 'src/a.ts'],
    ['..b.ts', root, '..b.ts'],
  ])('%s in %s is %s', (typed, cwd, path) => {
    expect(one(typed, cwd)).toEqual([path]);
  });

  it.each(['..', '../tree2/a.ts', '/etc/passwd', '', 'a\0b'])('refuses %j', (typed) => {
    expect(() => one(typed, root)).toThrow(/expected paths below the root/);
  });

  it('never lets a path out', () => {
    const segment = fc.constantFrom('..', '.', 'a', 'src', 'b.ts', '');
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 8 }), (segments) => {
        let paths: string[];
        try {
          paths = one(segments.join('/'), join(root, 'src'));
        } catch {
          return;
        }
        expect(paths.join()).not.toMatch(/^\/|(^|\/)\.\.(\/|$)/);
      }),
    );
  });
});
