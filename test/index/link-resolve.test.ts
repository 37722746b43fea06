import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { linkerOf, type Texts } from './support/link.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'woods-resolve-')));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Where the specifier in `from` leads, in a tree of these files and with what was put on disk. */
async function target(specifier: string, texts: Texts, from = 'src/a.ts'): Promise<string | null> {
  const linker = await linkerOf({ [from]: `import ${JSON.stringify(specifier)}`, ...texts }, root);
  return linker.edgesOf(from)[0]?.target ?? null;
}

describe('paths', () => {
  test.each([
    ['./b', { 'src/b.ts': '', 'src/b.js': '', 'src/b/index.ts': '' }, 'src/b.ts'],
    ['./b.js', { 'src/b.ts': '', 'src/b.js': '' }, 'src/b.ts'],
    ['./b.js', { 'src/b.js': '' }, 'src/b.js'],
    ['./b.jsx', { 'src/b.tsx': '' }, 'src/b.tsx'],
    ['./b.mjs', { 'src/b.mts': '', 'src/b.mjs': '' }, 'src/b.mts'],
    ['./b.cjs', { 'src/b.cts': '' }, 'src/b.cts'],
    ['./b.ts', { 'src/b.ts': '' }, 'src/b.ts'],
    ['./b', { 'src/b.d.ts': '', 'src/b.js': '' }, 'src/b.d.ts'],
    ['./b', { 'src/b/index.tsx': '' }, 'src/b/index.tsx'],
    ['./b/', { 'src/b.ts': '', 'src/b/index.ts': '' }, 'src/b/index.ts'],
    [
      './b',
      { 'src/b/package.json': '{"main": "lib/x.js"}', 'src/b/lib/x.ts': '', 'src/b/index.ts': '' },
      'src/b/lib/x.ts',
    ],
    ['.', { 'src/index.ts': '' }, 'src/index.ts'],
    ['..', { 'index.ts': '' }, 'index.ts'],
    ['./b.conf', { 'src/b.conf.ts': '' }, 'src/b.conf.ts'],
    ['./b.ts?worker', { 'src/b.ts': '' }, 'src/b.ts'],
    ['../../b', { 'b.ts': '' }, null],
    ['./none', {}, null],
    ['/src/b', { 'src/b.ts': '' }, null],
    ['https://x.org/b.ts', {}, null],
    ['node:fs', {}, null],
  ] as [string, Texts, string | null][])('%s among %j', async (specifier, texts, expected) => {
    expect(await target(specifier, texts)).toBe(expected);
  });
});

describe('tsconfig paths', () => {
  const texts = { 'src/b.ts': '', 'lib/b.ts': '', 'lib/c.ts': '', 'b.ts': '' };

  test.each([
    ['@/b', '{"compilerOptions": {"paths": {"@/*": ["./lib/*"]}}}', 'lib/b.ts'],
    [
      '@/b',
      '{ // comments\n "compilerOptions": {"paths": {"@/*": ["./none/*", "./lib/*",],}, /* commas */ } }',
      'lib/b.ts',
    ],
    ['@/b', '{"compilerOptions": {"baseUrl": "./lib", "paths": {"@/*": ["*"]}}}', 'lib/b.ts'],
    ['b', '{"compilerOptions": {"baseUrl": "lib"}}', 'lib/b.ts'],
    ['exact', '{"compilerOptions": {"paths": {"exact": ["./lib/b.ts"]}}}', 'lib/b.ts'],
    ['exact/b', '{"compilerOptions": {"paths": {"exact": ["./lib"]}}}', null],
    ['@/x/b', '{"compilerOptions": {"paths": {"@/*": ["./src/*"], "@/x/*": ["./lib/*"]}}}', 'lib/b.ts'],
    ['c', '{"compilerOptions": {"paths": {"*": ["./src/*", "./lib/*"]}}}', 'lib/c.ts'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is TypeScript's own placeholder
    ['@/b', '{"compilerOptions": {"paths": {"@/*": ["${configDir}/lib/*"]}}}', 'lib/b.ts'],
  ])('%s by %s', async (specifier, tsconfig, expected) => {
    put('tsconfig.json', tsconfig);
    expect(await target(specifier, texts)).toBe(expected);
  });

  test('extended files count, relative to where they stand; missing ones and circles do not harm', async () => {
    put(
      'config/base.json',
      '{"extends": ["./base.json", "../none.json"], "compilerOptions": {"paths": {"@/*": ["../lib/*"]}}}',
    );
    put('tsconfig.json', '{"extends": ["@tsconfig/node20/tsconfig.json", "./config/base"]}');
    expect(await target('@/b', texts)).toBe('lib/b.ts');
    expect(await target('./b', texts)).toBe('src/b.ts');
  });

  test('an extended file of a package', async () => {
    put('node_modules/@conf/x/tsconfig.json', '{"compilerOptions": {"paths": {"@/*": ["../../../lib/*"]}}}');
    put('tsconfig.json', '{"extends": "@conf/x/tsconfig.json"}');
    expect(await target('@/b', texts)).toBe('lib/b.ts');
  });

  test('the nearest file decides, and one that only lists references stands for those', async () => {
    put('tsconfig.json', '{"compilerOptions": {"paths": {"@/*": ["./lib/*"]}}}');
    put('src/tsconfig.json', '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}');
    put('src/tsconfig.app.json', '{"compilerOptions": {"paths": {"@/*": ["./*"]}}}');
    expect(await target('@/b', texts)).toBe('src/b.ts');
    expect(await target('@/b', texts, 'a.ts')).toBe('lib/b.ts');
  });
});

describe('packages of the tree', () => {
  const source = {
    'packages/p/src/index.ts': '',
    'packages/p/src/node/index.ts': '',
    'packages/p/src/x.ts': '',
    'packages/p/y.ts': '',
  };
  const named = (facts: object) => ({
    ...source,
    'packages/p/package.json': JSON.stringify({ name: '@s/p', ...facts }),
  });

  test.each([
    ['@s/p', {}, 'packages/p/src/index.ts'],
    ['@s/p', { main: './dist/node/index.js' }, 'packages/p/src/node/index.ts'],
    ['@s/p', { types: './dist/none.d.ts' }, 'packages/p/src/index.ts'],
    ['@s/p', { exports: { '.': { types: './dist/x.d.ts' } } }, 'packages/p/src/x.ts'],
    ['@s/p/sub', { exports: { '.': './dist/index.js', './sub': './lib/esm/x.js' } }, 'packages/p/src/x.ts'],
    ['@s/p/x', { exports: { './*': './dist/*.js' } }, 'packages/p/src/x.ts'],
    ['@s/p/y', {}, 'packages/p/y.ts'],
    ['@s/p/src/x', {}, 'packages/p/src/x.ts'],
    ['@s/p/y', { exports: { './x': './dist/x.js' } }, null],
    ['@s/other', {}, null],
  ] as [string, object, string | null][])('%s of %j', async (specifier, facts, expected) => {
    expect(await target(specifier, named(facts))).toBe(expected);
  });

  test('a name that two packages have is nobody', async () => {
    expect(await target('@s/p', { ...named({}), 'fixtures/package.json': '{"name": "@s/p"}' })).toBeNull();
  });

  test('linked into node_modules and built: still the source', async () => {
    for (const [path, text] of Object.entries(named({ main: './dist/x.js' }))) put(path, text);
    put('packages/p/dist/x.js', '');
    mkdirSync(join(root, 'node_modules/@s'), { recursive: true });
    symlinkSync('../../packages/p', join(root, 'node_modules/@s/p'));
    expect(await target('@s/p', named({ main: './dist/x.js' }))).toBe('packages/p/src/x.ts');
  });

  test('what is installed under the same name is not ours', async () => {
    put('node_modules/@s/p/package.json', '{"name": "@s/p", "main": "x.js"}');
    put('node_modules/@s/p/x.js', '');
    expect(await target('@s/p', named({}))).toBeNull();
  });
});
