import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  classify,
  classifyDirectory,
  type Learned,
  type PathClass,
} from '../../packages/worker/src/policy/classify.ts';

const learned: Learned = {
  extended: new Set(['config/base.json', 'node_modules/@tsconfig/node20/tsconfig.json']),
  indexDir: 'tmp/woods',
};

const table: Record<PathClass, string[]> = {
  restart: [
    ...['package.json', 'packages/a/package.json', 'test/fixtures/x/package.json'],
    ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb'],
    ...['tsconfig.json', 'tsconfig.build.json', 'tsconfig-base.json', 'packages/a/tsconfig.test.json', 'jsconfig.json'],
    ...['pnpm-workspace.yaml', '.npmrc', '.nvmrc', '.node-version', '.tool-versions', 'woods.json'],
    ...['.env', '.env.local', '.env.production.local', 'apps/web/.env'],
    ...['node_modules/.package-lock.json', 'node_modules/.modules.yaml', 'node_modules/.yarn-state.yml'],
    'packages/a/node_modules/.package-lock.json',
    ...['config/base.json', 'node_modules/@tsconfig/node20/tsconfig.json'],
  ],
  reload: [
    ...['src/a.ts', 'src/a.tsx', 'src/a.mts', 'src/a.cts', 'src/a.js', 'src/a.jsx', 'src/a.mjs', 'src/a.cjs', 'A.TS'],
    ...[
      'src/types.d.ts',
      'lib/a.py',
      'lib/a.rb',
      'cmd/a.go',
      'src/a.rs',
      'src/A.java',
      'src/package.json.ts',
      'tsconfig.ts',
    ],
    ...['src/contest.ts', 'src/test.ts', 'my.node_modules/a.ts', 'a.git/b.ts', 'tmp/woods_two/a.ts'],
  ],
  reextract: [
    ...['src/a.test.ts', 'src/a.spec.tsx', 'src/__tests__/a.ts', 'pkg/a_test.go', 'spec/a_spec.rb'],
    ...['README.md', 'docs/guide.mdx', 'schema.graphql', 'prisma/schema.prisma', 'db/schema.sql'],
    ...['src/migrations/1-init.ts', 'migrations/2.sql', 'locales/de.json', 'locales/index.ts', 'i18n/de.po'],
    ...['views/a.hbs', 'index.html', 'src/Button.stories.tsx', 'src/a.css', '.github/workflows/ci.yml', 'data.json'],
  ],
  rescan: ['.gitignore', 'packages/a/.gitignore', '.woodsignore', 'src/.woodsignore', '.git/info/exclude'],
  ignore: [
    ...['logo.png', 'Makefile', 'src/a.ts~', 'src/.a.ts.swp', '4913', 'src/a.ts.orig', '.profile', 'a'],
    ...['.git/index', '.git/HEAD', '.git/config', '.git/hooks/a.js', 'vendor/x/.git/info/exclude'],
    ...[
      'node_modules/a/package.json',
      'node_modules/a/index.js',
      'a/node_modules/b/tsconfig.json',
      'node_modules/a/.gitignore',
    ],
    ...['tmp/woods/generation.json', 'tmp/woods/payloads/gen-1/manifest.json', 'tmp/woods/package.json', 'tmp/woods'],
  ],
};

describe('classify', () => {
  for (const [kind, paths] of Object.entries(table)) {
    it.each(paths)(`${kind}: %s`, (path) => {
      expect(classify(path, learned)).toBe(kind);
    });
  }

  it('never asks anything for what lies in the index, in .git or in node_modules, the named exceptions left out', () => {
    const segment = fc.stringMatching(/^[a-z.]{1,12}$/);
    const home = fc.constantFrom('tmp/woods', '.git', 'a/.git', 'node_modules', 'a/b/node_modules');
    fc.assert(
      fc.property(home, fc.array(segment, { minLength: 1, maxLength: 4 }), (above, below) => {
        const path = `${above}/${below.join('/')}`;
        const named = ['.git/info/exclude', ...learned.extended].includes(path);
        const installed = /(?:^|\/)node_modules\/\.(?:package-lock\.json|modules\.yaml|yarn-state\.yml)$/.test(path);
        fc.pre(!named && !installed);
        expect(classify(path, learned)).toBe('ignore');
      }),
    );
  });

  it('is about the name, not about how deep it lies', () => {
    const folders = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 5 });
    fc.assert(
      fc.property(folders, fc.constantFrom('package.json', '.gitignore', 'tsconfig.json', 'a.md'), (above, name) => {
        fc.pre(!above.includes('locales'));
        expect(classify([...above, name].join('/'), { ...learned, indexDir: null })).toBe(classify(name, learned));
      }),
    );
  });
});

describe('classifyDirectory', () => {
  it.each([
    ['src', 'reload'],
    ['packages/a', 'reload'],
    ['node_modules', 'ignore'],
    ['a/node_modules/b', 'ignore'],
    ['.git', 'ignore'],
    ['.git/objects', 'ignore'],
    ['tmp/woods', 'ignore'],
    ['tmp/woods/payloads', 'ignore'],
    ['tmp', 'reload'],
  ])('%s: %s', (path, kind) => {
    expect(classifyDirectory(path, learned)).toBe(kind);
  });
});
