import { describe, expect, test } from 'vitest';
import type { Language } from '../../packages/index/src/record/file-record.ts';
import { recordOf, sourceOf, unitsOf } from './support/record.ts';

describe('units of a file', () => {
  test.each<[what: string, text: string, units: string[], language?: Language]>([
    ['functions, also inside of others', 'function a() { function b() {} }', ['function a', 'function a.b']],
    ['an arrow function with a name', 'const a = async () => {};', ['function a']],
    ['a function expression with two names', 'const a = function b() { b() };', ['function a']],
    ['an anonymous callback is none', 'run(() => {}, function () {});', []],
    ['an exported variable', 'export const a = 1, b = 2; const c = 3;', ['variable a', 'variable b']],
    ['a variable that is exported further down', 'const a = 1; export { a as b };', ['variable a']],
    ['a variable that is called', 'const log = make(); log();', ['variable log']],
    ['what a pattern exports', 'export const { a, b: [c] } = x;', ['variable a', 'variable c']],
    [
      'a class and its members',
      'class A { constructor() {} m() {} f = () => {}; p = 1; static s() {} #h() {} }',
      ['class A', 'method A.constructor', 'method A.m', 'method A.f', 'method A.s', 'method A.#h'],
    ],
    ['a class in a variable', 'export const A = class B { m() {} };', ['class A', 'method A.m']],
    [
      'a computed name',
      'class A { [Symbol.iterator]() {} ["x y"]() {} [f()]() {} }',
      ['class A', 'method A.[Symbol.iterator]', 'method A.x y'],
    ],
    ['overloads are one', 'function a(x: 1): 1; function a(x: 2): 2; function a(x: any) {}', ['function a']],
    ['overloaded methods are one', 'class A { m(x: 1): 1; m(x: any) {} }', ['class A', 'method A.m']],
    ['ambient overloads are one', 'declare function a(x: 1): 1; declare function a(x: 2): 2;', ['function a']],
    ['both accessors are one', 'class A { get v() { return 1 } set v(x) {} }', ['class A', 'method A.v']],
    [
      'a static and an instance method of one name are two',
      'class A { m() {} static m() {} }',
      ['class A', 'method A.m', 'method A.m~2'],
    ],
    [
      'an interface and what can be called on it',
      'interface A { m(): 1; f: () => 2; p: 3 }',
      ['interface A', 'method A.m', 'method A.f'],
    ],
    [
      'a type beside a value',
      'export const A = 1; type A = 1; interface A {}',
      ['variable A', 'type_alias A:type_alias', 'interface A:interface'],
    ],
    ['two interfaces of one name', 'interface A {} interface A {}', ['interface A', 'interface A~2']],
    ['an enum', 'export const enum A { x = f() }', ['enum A']],
    [
      'what is in a namespace',
      'namespace A.B { export function f() {} } declare global { interface W {} }',
      ['function A.B.f', 'interface global.W'],
    ],
    [
      'functions of a named object',
      'const a = { m() {}, f: () => {}, n: { g() {} }, p: 1 };',
      ['variable a', 'method a.m', 'method a.f', 'variable a.n', 'method a.n.g'],
    ],
    ['a nameless default', 'export default () => {};', ['function default']],
    ['a default object', 'export default { m() {} };', ['variable default', 'method default.m']],
    ['a default of a name', 'const a = 1; export default a;', ['variable a']],
    [
      'test blocks',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source that is recorded
      'describe("a", () => { it.skip("b\\n c", () => { const h = () => {}; }); test.each([1])(`d ${x}`, () => {}); });',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: titles are kept as they are written
      ['test_suite a', 'test_suite a > b c', 'function a > b c > h', 'test_suite a > d ${x}'],
    ],
    ['a function that is called test', 'function test(a, b) {} test("a", () => {});', ['function test']],
    [
      'declarations after a broken one',
      'class A { m( { }\nexport function b() {}\ninterface C {}',
      ['class A', 'method A.m', 'function b', 'interface C'],
    ],
    ['JSX', 'export const A = () => <B x={() => f()}>{g()}</B>;', ['function A'], 'jsx'],
    ['a script without any statement', '// nothing here', []],
  ])('%s', (_, text, units, language) => {
    expect(unitsOf(text, language)).toEqual(units);
  });

  test('spans are bytes and lines, also after text of several bytes a character', () => {
    const text = '// 🌲🌲 é\r\nconst s = "😀"; function b() { return "🎉"; }\n';
    expect(sourceOf(text, 'b')).toBe('function b() { return "🎉"; }');
    expect(recordOf(text).units[1]?.span.slice(2)).toEqual([2, 2]);
  });

  test('a span begins at the decorators, the line of the name is told beside it', () => {
    const text = '@entity()\nexport class A {\n  @column()\n  m() {}\n}';
    const [, a, m] = recordOf(text).units;
    expect(a).toMatchObject({
      span: [0, Buffer.byteLength(text), 1, 5],
      signature: 'export class A',
      metadata: { nameLine: 2 },
    });
    expect(m).toMatchObject({ signature: 'm()', metadata: { nameLine: 4 } });
  });

  test('signatures are one bounded line without the body', () => {
    const text = `export async function a(\n  x: number, // first\n): Promise<void> {\n}\nconst b = <T,>(x: T): T => x;\ntype C = ${'x | '.repeat(200)}x;`;
    const signatures = recordOf(text).units.map((unit) => unit.signature);
    expect(signatures[1]).toBe('export async function a( x: number, // first ): Promise<void>');
    expect(signatures[2]).toBe('const b = <T,>(x: T): T');
    expect(signatures[3]).toHaveLength(240);
  });

  test('docs lose their decoration; only the nearest one belongs to a unit', () => {
    const text =
      '/** The file.\n *\n * @packageDocumentation */\n\n/** Not this. */\n/**\n * Does it.\n *   - well\n */\nexport function a() {}\n// no doc\nfunction b() {}';
    const [module, a, b] = recordOf(text).units;
    expect(module?.doc).toBe('The file.\n\n@packageDocumentation');
    expect(a?.doc).toBe('Does it.\n  - well');
    expect(b?.doc).toBeNull();
  });

  test('what modifiers and exports say stands in the metadata', () => {
    const text =
      'class A { private static async m() {} get v() { return 1 } set v(x) {} }\nexport { A };\nexport default abstract class B { abstract m(): void }';
    const metadata = Object.fromEntries(recordOf(text).units.map((unit) => [unit.key, unit.metadata]));
    expect(metadata).toMatchObject({
      A: { exported: true },
      'A.m': { visibility: 'private', static: true, async: true },
      'A.v': { accessors: ['get', 'set'] },
      B: { exported: true, default: true, abstract: true },
      'B.m': { abstract: true },
    });
  });
});
