/** What a change in one file does to the edges of others. Each step is also compared with a linker that starts from it. */
import { describe, expect, test } from 'vitest';
import { change, edgesOf, everyEdge, linkerOf, type Texts } from './support/link.ts';

/** Applies changes one after another; returns which files got other edges in the last one, and the calls after it. */
async function afterChanges(texts: Texts, ...changes: { readonly [path: string]: string | null }[]) {
  const linker = await linkerOf(texts);
  let now: Texts = texts;
  let relinked: readonly string[] = [];
  for (const step of changes) {
    relinked = change(linker, step);
    now = Object.fromEntries(
      Object.entries({ ...now, ...step }).filter((entry): entry is [string, string] => entry[1] !== null),
    );
    expect(everyEdge(linker)).toEqual(everyEdge(await linkerOf(now)));
  }
  return { relinked: [...relinked].sort(), calls: edgesOf(linker, 'call') };
}

const CALLER = "import { f } from './barrel'; f()";
const BARREL = "export * from './lib'";

describe('a change of one file', () => {
  test('an edit of a body keeps its callers as they are', async () => {
    const { relinked, calls } = await afterChanges(
      { 'a.ts': CALLER, 'barrel.ts': BARREL, 'lib.ts': 'export function f() {}' },
      { 'lib.ts': '// moved down\n\nexport function f() { return 1 }' },
    );
    expect(relinked).toEqual([]);
    expect(calls).toEqual(['a.ts -call-> lib.ts#f']);
  });

  test('an export that goes takes the calls with it, one that comes brings them', async () => {
    const texts = { 'a.ts': CALLER, 'barrel.ts': BARREL, 'lib.ts': 'export function f() {}' };
    expect(await afterChanges(texts, { 'lib.ts': 'function f() {}' })).toEqual({ relinked: ['a.ts'], calls: [] });
    expect((await afterChanges(texts, { 'lib.ts': '' }, { 'lib.ts': 'export const f = () => {}' })).calls).toEqual([
      'a.ts -call-> lib.ts#f',
    ]);
  });

  test('a re-export that leads elsewhere under the same name', async () => {
    const texts = {
      'a.ts': CALLER,
      'b.ts': CALLER,
      'barrel.ts': "export { f } from './lib'",
      'lib.ts': 'export function f() {}',
      'other.ts': 'export function f() {}',
    };
    const { relinked, calls } = await afterChanges(texts, { 'barrel.ts': "export { f } from './other'" });
    expect(relinked).toEqual(['a.ts', 'b.ts', 'barrel.ts']);
    expect(calls).toEqual(['a.ts -call-> other.ts#f', 'b.ts -call-> other.ts#f']);
  });

  test('a second star makes a name ambiguous, and its removal restores it', async () => {
    const texts = {
      'a.ts': CALLER,
      'barrel.ts': `${BARREL}; export * from './other'`,
      'lib.ts': 'export function f() {}',
      'other.ts': '',
    };
    expect((await afterChanges(texts, { 'other.ts': 'export function f() {}' })).calls).toEqual([]);
    expect(
      (await afterChanges(texts, { 'other.ts': 'export function f() {}' }, { 'other.ts': null })).calls,
    ).toHaveLength(1);
  });

  test('a deleted barrel breaks what went through it and only that', async () => {
    const { calls } = await afterChanges(
      {
        'a.ts': CALLER,
        'b.ts': "import { f } from './lib'; f()",
        'barrel.ts': BARREL,
        'lib.ts': 'export function f() {}',
      },
      { 'barrel.ts': null },
    );
    expect(calls).toEqual(['b.ts -call-> lib.ts#f']);
  });

  test('a new file satisfies an import that failed', async () => {
    const { relinked, calls } = await afterChanges(
      { 'a.ts': CALLER, 'barrel.ts': BARREL },
      { 'lib.ts': 'export function f() {}' },
    );
    expect(relinked).toContain('a.ts');
    expect(calls).toEqual(['a.ts -call-> lib.ts#f']);
  });

  test.each([
    ['lib.tsx', 'lib.ts'],
    ['lib/index.ts', 'lib.ts'],
    ['lib.js', 'lib.d.ts'],
    ['lib.ts', 'Lib.ts'],
  ])('%s loses to %s, and is found again without it', async (weak, strong) => {
    const f = 'export function f() {}';
    const texts = { 'a.ts': CALLER, 'barrel.ts': BARREL, [weak]: f };
    const expected = strong === 'Lib.ts' ? weak : strong;
    expect((await afterChanges(texts, { [strong]: f })).calls).toEqual([`a.ts -call-> ${expected}#f`]);
    expect((await afterChanges(texts, { [strong]: f }, { [strong]: null })).calls).toEqual([`a.ts -call-> ${weak}#f`]);
  });

  test('a rename of case moves what was found', async () => {
    const { calls } = await afterChanges(
      { 'a.ts': "import { f } from './Lib'; f()", 'lib.ts': 'export function f() {}' },
      { 'lib.ts': null, 'Lib.ts': 'export function f() {}' },
    );
    expect(calls).toEqual(['a.ts -call-> Lib.ts#f']);
  });

  test('a member that moves up to a superclass in a third file', async () => {
    const texts = {
      'a.ts': "import { C } from './c'; class D extends C { x() { this.m() } }",
      'c.ts': "import { B } from './b'; export class C extends B { m() {} }",
      'b.ts': 'export class B {}',
    };
    const { relinked, calls } = await afterChanges(texts, {
      'c.ts': "import { B } from './b'; export class C extends B {}",
      'b.ts': 'export class B { m() {} }',
    });
    expect(relinked).toContain('a.ts');
    expect(calls).toEqual(['a.ts#D.x -call-> b.ts#B.m']);
  });

  test('a superclass reached only through a file that does not change', async () => {
    const texts = {
      'a.ts': "import { y } from './y'; y.m()",
      'y.ts': "import { Z } from './z'; export class Y extends Z {} export const y = new Y()",
      'z.ts': 'export class Z { m() {} }',
    };
    expect((await afterChanges(texts, { 'z.ts': 'export class Z { n() {} }' })).calls).toEqual([]);
  });

  test('what two files rely on is found out again for both', async () => {
    const user = "import { y } from './y'; y.m()";
    const texts = {
      'a.ts': user,
      'b.ts': user,
      'y.ts': "import { Z } from './z'; export const y = new Z()",
      'z.ts': 'export class Z {}',
    };
    expect((await afterChanges(texts, { 'z.ts': 'export class Z { m() {} }' })).calls).toEqual([
      'a.ts -call-> z.ts#Z.m',
      'b.ts -call-> z.ts#Z.m',
    ]);
  });
});

describe('circles', () => {
  const circle = {
    'a.ts': "import { B } from './b'; export class A extends B.X { static X = 1; x() { this.m(); } } A.s();",
    'b.ts': "import { C } from './c'; export class B extends C.X { static s() {} } B.s();",
    'c.ts': "import { A } from './a'; export class C extends A.X { m() {} } C.s();",
  };

  test('classes that need each other to find each other are unknown, wherever one starts', async () => {
    const calls = edgesOf(await linkerOf(circle), 'call');
    const reversed = Object.fromEntries(Object.entries(circle).reverse());
    expect(edgesOf(await linkerOf(reversed), 'call')).toEqual(calls);
    expect(calls).toEqual(['b.ts -call-> b.ts#B.s']);
  });

  test('values that are each other', async () => {
    const values = {
      'a.ts': "import { y } from './b'; export const x = y.z; x.m(); y.m();",
      'b.ts': "import { x } from './a'; export const y = x.z; y.m(); x.m();",
    };
    expect(edgesOf(await linkerOf(values), 'call')).toEqual([]);
  });

  test('a circle that is broken far from where it shows', async () => {
    const texts = {
      'u1.ts': "import { p } from './p'; p.m();",
      'u2.ts': "import { q } from './q'; q.m();",
      'p.ts': "import { r } from './r'; export const p = r;",
      'r.ts': "import { q } from './q'; export const r = q;",
      'q.ts': "import { p } from './p'; export const q = p;",
    };
    const fixed = { 'r.ts': "import { K } from './k'; export const r = new K();", 'k.ts': 'export class K { m() {} }' };
    const { calls } = await afterChanges(texts, fixed);
    expect(calls).toEqual(['u1.ts -call-> k.ts#K.m', 'u2.ts -call-> k.ts#K.m']);
    expect((await afterChanges(texts, fixed, { 'r.ts': texts['r.ts'] })).calls).toEqual([]);
  });
});
