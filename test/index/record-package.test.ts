import { expect, test } from 'vitest';
import { recordOf } from './support/record.ts';

const TEXT = `{
  "name": "@scope/app",
  "version": "1.2.3",
  "description": "An app",
  "exports": { ".": { "types": "./dist/index.d.ts", "import": ["./dist/index.js"] }, "./*": "./src/*.js" },
  "scripts": { "build": "tsc  -b", "__proto__": "x" },
  "dependencies": { "@scope/lib": "workspace:*" },
  "devDependencies": { "toJSON": "^1.0.0" }
}
`;

test('a package is a unit, and so is each of its scripts', () => {
  const { units, errors } = recordOf(TEXT, 'package');
  expect(errors).toEqual([]);
  expect(units).toMatchObject([
    {
      type: 'package',
      name: '@scope/app',
      key: '',
      signature: '@scope/app@1.2.3',
      doc: 'An app',
      span: [0, TEXT.length, 1, 9],
      metadata: { version: '1.2.3', dependencies: ['@scope/lib'], devDependencies: ['toJSON'] },
    },
    { type: 'script', name: 'build', key: 'scripts.build', namespace: 'scripts', signature: 'tsc -b' },
    { type: 'script', name: '__proto__', key: 'scripts.__proto__' },
  ]);
});

test('what it offers and what it depends on is kept for those who resolve', () => {
  expect(recordOf(TEXT, 'package').package).toEqual({
    name: '@scope/app',
    entries: [
      ['.', './dist/index.d.ts'],
      ['.', './dist/index.js'],
      ['./*', './src/*.js'],
    ],
    dependencies: [
      ['@scope/lib', 'workspace:*', 7],
      ['toJSON', '^1.0.0', 8],
    ],
  });
});

test.each(['', '[]', 'null', '{"name": 1, "scripts": [], "exports": null}', '{"name": "a",'])(
  '%j is a package too',
  (text) => {
    expect(recordOf(text, 'package').units[0]).toMatchObject({ type: 'package' });
  },
);
