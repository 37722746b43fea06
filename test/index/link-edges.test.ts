import { describe, expect, test } from 'vitest';
import { edgesOf, linkerOf, type Texts } from './support/link.ts';

/** What calls and `new` lead to, from all files. */
async function callsOf(texts: Texts): Promise<string[]> {
  const linker = await linkerOf(texts);
  return [...edgesOf(linker, 'call'), ...edgesOf(linker, 'new')];
}

describe('calls', () => {
  const lib = 'export function f() {}\nexport class C { m() {} static s() {} }\nexport default function d() {}';
  test.each<[what: string, texts: Texts, edges: string[]]>([
    ['of a name of the file', { 'a.ts': 'function f() {} function g() { f() }' }, ['a.ts#g -call-> a.ts#f']],
    ['of a name declared further down', { 'a.ts': 'f(); function f() {}' }, ['a.ts -call-> a.ts#f']],
    ['of an imported name', { 'a.ts': "import { f } from './b'; f()", 'b.ts': lib }, ['a.ts -call-> b.ts#f']],
    ['of an alias', { 'a.ts': "import { f as g } from './b'; g()", 'b.ts': lib }, ['a.ts -call-> b.ts#f']],
    ['of a default', { 'a.ts': "import x from './b'; x()", 'b.ts': lib }, ['a.ts -call-> b.ts#d']],
    [
      'of a default that is a name',
      { 'a.ts': "import x from './b'; x()", 'b.ts': 'const y = () => {}; export default y' },
      ['a.ts -call-> b.ts#y'],
    ],
    [
      'through a namespace',
      { 'a.ts': "import * as n from './b'; n.f(); n.C.s(); n.default()", 'b.ts': lib },
      ['a.ts -call-> b.ts#C.s', 'a.ts -call-> b.ts#d', 'a.ts -call-> b.ts#f'],
    ],
    [
      'through barrels',
      {
        'a.ts': "import { f, z, n } from '.'; f(); z(); n.f()",
        'index.ts': "export * from './c'; export { f as z } from './b'; export * as n from './b'",
        'c.ts': "export * from './b'",
        'b.ts': lib,
      },
      ['a.ts -call-> b.ts#f'],
    ],
    [
      'through barrels that import and then export',
      {
        'a.ts': "import { f } from './c'; f()",
        'c.ts': "import { f } from './b'; export { f }",
        'b.ts': lib,
      },
      ['a.ts -call-> b.ts#f'],
    ],
    [
      'through barrels in a circle',
      {
        'a.ts': "import { f, g } from './c'; f(); g()",
        'c.ts': "export * from './d'",
        'd.ts': "export * from './c'; export * from './b'",
        'b.ts': lib,
      },
      ['a.ts -call-> b.ts#f'],
    ],
    [
      'of what two stars bring in differently is not known',
      {
        'a.ts': "import { f } from './c'; f()",
        'c.ts': "export * from './b'; export * from './d'",
        'b.ts': lib,
        'd.ts': 'export function f() {}',
      },
      [],
    ],
    [
      'of what two stars bring in from one place',
      {
        'a.ts': "import { f } from './c'; f()",
        'c.ts': "export * from './b'; export * from './d'",
        'b.ts': lib,
        'd.ts': "export { f } from './b'",
      },
      ['a.ts -call-> b.ts#f'],
    ],
    [
      'an own export wins over a star',
      {
        'a.ts': "import { f } from './c'; f()",
        'c.ts': "export * from './b'; export const f = () => {}",
        'b.ts': lib,
      },
      ['a.ts -call-> c.ts#f'],
    ],
    [
      'a star brings in no default',
      { 'a.ts': "import x from './c'; x()", 'c.ts': "export * from './b'", 'b.ts': lib },
      [],
    ],
    [
      'of what `export =` exports',
      {
        'a.ts': "import x = require('./b'); import y from './b'; x.f(); y.f()",
        'b.ts': 'const o = { f() {} }; export = o',
      },
      ['a.ts -call-> b.ts#o.f'],
    ],
    [
      'of a required and of a dynamically imported module',
      {
        'a.js':
          "const b = require('./b'); const { f: g } = require('./b'); b.f(); g(); async function h() { const m = await import('./b'); m.C.s() }",
        'b.ts': lib,
      },
      ['a.js -call-> b.ts#f', 'a.js#h -call-> b.ts#C.s'],
    ],
    [
      'of a shadowed name',
      {
        'a.ts': "import { f } from './b'; function g(f) { f() } { const f = 1; f() } try {} catch (f) { f() }",
        'b.ts': lib,
      },
      ['a.ts -call-> a.ts#f'],
    ],
    [
      'a type parameter or a type shadows no value',
      { 'a.ts': "import { f } from './b'; function g<f>() { interface f {} f() }", 'b.ts': lib },
      ['a.ts#g -call-> b.ts#f'],
    ],
    [
      'var belongs to the function',
      { 'a.ts': 'function g() { if (x) { var f = () => {} } f() }' },
      ['a.ts#g -call-> a.ts#g.f'],
    ],
    [
      'a callback acts for the unit around it',
      { 'a.ts': "import { f } from './b'; const g = () => [1].map((x) => f(x)); on(() => f())", 'b.ts': lib },
      ['a.ts -call-> b.ts#f', 'a.ts#g -call-> b.ts#f'],
    ],
    [
      'of a class',
      { 'a.ts': "import { C } from './b'; new C().m(); new (C as any)()", 'b.ts': lib },
      ['a.ts -call-> b.ts#C.m', 'a.ts -new-> b.ts#C'],
    ],
    [
      'through this, static and super',
      {
        'a.ts':
          "import { C } from './b'; class D extends C { x() { this.y(); this.m(); super.m(); D.s(); (() => this.y())() } y() {} static t() { this.s(); new this().y(); super.s() } }",
        'b.ts': lib,
      },
      [
        'a.ts#D.t -call-> a.ts#D.y',
        'a.ts#D.t -call-> b.ts#C.s',
        'a.ts#D.x -call-> a.ts#D.y',
        'a.ts#D.x -call-> b.ts#C.m',
        'a.ts#D.x -call-> b.ts#C.s',
      ],
    ],
    [
      '`this` of a plain function is not known',
      { 'a.ts': 'class D { x() { function g() { this.x() } on(function () { this.x() }) } }' },
      [],
    ],
    [
      'through a field or a variable that was given an instance',
      {
        'a.ts':
          "import { C } from './b'; const c = new C(); class D { c = new C(); x() { this.c.m() } } c.m(); let e = c; e.m()",
        'b.ts': lib,
      },
      ['a.ts -call-> b.ts#C.m', 'a.ts#D.x -call-> b.ts#C.m', 'a.ts -new-> b.ts#C', 'a.ts#D -new-> b.ts#C'],
    ],
    [
      'an annotation overrules the initialiser',
      { 'a.ts': "import { C } from './b'; const c: Other = new C(); c.m()", 'b.ts': lib },
      ['a.ts -new-> b.ts#C'],
    ],
    [
      'of functions of an object',
      { 'a.ts': 'const o = { f() { this.g() }, g: () => {}, n: { h() {} } }; o.f(); o.n.h(); o.none()' },
      ['a.ts -call-> a.ts#o.f', 'a.ts -call-> a.ts#o.n.h', 'a.ts#o.f -call-> a.ts#o.g'],
    ],
    [
      'what is spread into an object may replace what came before',
      { 'a.ts': 'const o = { f() {}, ...p, g() {} }; o.f(); o.g()' },
      ['a.ts -call-> a.ts#o.g'],
    ],
    [
      'of members of a namespace and of what is merged with it',
      {
        'a.ts': "import { N } from './b'; N.f(); N.g()",
        'b.ts': 'export function N() {} export namespace N { export function f() {} }',
      },
      ['a.ts -call-> b.ts#N.f'],
    ],
    [
      'of built-in receivers lead nowhere',
      {
        'a.ts': "const m = new Map(); m.get(1); 'x'.split(); [].map(f); class Map2 extends Map { x() { this.get() } }",
      },
      [],
    ],
    [
      'of names that break objects',
      {
        'a.ts': "import * as n from './b'; n.__proto__(); n.toJSON(); n.constructor(); n.hasOwnProperty()",
        'b.ts': 'export function toJSON() {} export const __proto__ = () => {};',
      },
      ['a.ts -call-> b.ts#__proto__', 'a.ts -call-> b.ts#toJSON'],
    ],
    ['of tagged templates', { 'a.ts': "import { f } from './b'; f`x`", 'b.ts': lib }, ['a.ts -call-> b.ts#f']],
    [
      'of what is not there',
      { 'a.ts': "import { none } from './b'; import { f } from './c'; none(); f(); g()", 'b.ts': lib },
      [],
    ],
    [
      'in decorators',
      { 'a.ts': "import { f } from './b'; @f() class D { @f() m() {} }", 'b.ts': lib },
      ['a.ts#D -call-> b.ts#f'],
    ],
  ])('%s', async (_, texts, edges) => {
    expect(await callsOf(texts)).toEqual(edges);
  });
});

describe('other edges', () => {
  test('imports lead to the module and to what is imported', async () => {
    const linker = await linkerOf({
      'a.ts':
        "import { f, type T } from './b';\nimport type { U } from './b';\nexport { f } from './b';\nexport * from './c';\nimport './c';\nconst x: import('./c').T = 1;\nimport('./b');",
      'b.ts': 'export function f() {} export type T = 1; export interface U {} export const U = 1',
      'c.ts': '',
    });
    expect([
      ...edgesOf(linker, 'import'),
      ...edgesOf(linker, 'type_import'),
      ...edgesOf(linker, 're_export'),
      ...edgesOf(linker, 'dynamic_import'),
    ]).toEqual([
      'a.ts -import-> b.ts',
      'a.ts -import-> b.ts#f',
      'a.ts -import-> c.ts',
      'a.ts -type_import-> b.ts',
      'a.ts -type_import-> b.ts#T',
      'a.ts -type_import-> b.ts#U:interface',
      'a.ts -type_import-> c.ts',
      'a.ts -re_export-> b.ts',
      'a.ts -re_export-> b.ts#f',
      'a.ts -re_export-> c.ts',
      'a.ts -dynamic_import-> b.ts',
    ]);
  });

  test('what extends and what implements, values and types told apart', async () => {
    const linker = await linkerOf({
      'a.ts':
        "import * as n from './b';\nclass A extends n.X implements n.X, n.Y {}\ninterface I extends n.Y {}\nclass B extends mixin(A) {}",
      'b.ts': 'export interface Y {} export class X {} export interface X {} export const Y = 1',
    });
    expect([...edgesOf(linker, 'extends'), ...edgesOf(linker, 'implements')]).toEqual([
      'a.ts#A -extends-> b.ts#X',
      'a.ts#I -extends-> b.ts#Y:interface',
      'a.ts#A -implements-> b.ts#X',
      'a.ts#A -implements-> b.ts#Y:interface',
    ]);
  });

  test('test blocks lead to what they test, not to helpers of other tests', async () => {
    const linker = await linkerOf({
      'a.test.ts':
        "import { f } from './f'; import { help } from './help.test'; describe('a', () => { it('b', () => { help(); f(); f() }) })",
      'help.test.ts': "export function help() {} it('x', () => {})",
      'f.ts': 'export function f() {}',
    });
    expect(edgesOf(linker, 'tests')).toEqual(['a.test.ts#a > b -tests-> f.ts#f']);
  });

  test('packages lead to the packages of the tree that they depend on', async () => {
    const linker = await linkerOf({
      'package.json': '{"name": "root", "devDependencies": {"b": "*", "twice": "*", "c": "file:packages/c"}}',
      'packages/b/package.json': '{"name": "b", "dependencies": {"left-pad": "1"}}',
      'packages/c/package.json': '{"name": "other"}',
      'x/package.json': '{"name": "twice"}',
      'y/package.json': '{"name": "twice"}',
    });
    expect(edgesOf(linker, 'workspace_dependency')).toEqual([
      'package.json -workspace_dependency-> packages/b/package.json',
      'package.json -workspace_dependency-> packages/c/package.json',
    ]);
  });

  test('each edge says how it was found, and where first', async () => {
    const linker = await linkerOf({
      'a.ts':
        "import { C } from './b';\nfunction f() {}\nclass D extends C {\n  c = new C();\n  x() { f(); C.s(); this.m(); this.c.m();\n f(); }\n}",
      'b.ts': 'export class C { m() {} n() {} static s() {} }',
    });
    const of = (target: string) =>
      linker.edgesOf('a.ts').filter((edge) => edge.source === 'a.ts#D.x' && edge.target === target);
    expect(of('a.ts#f')).toMatchObject([{ resolution: 'scope', line: 5 }]);
    expect(of('b.ts#C.s')).toMatchObject([{ resolution: 'import' }]);
    expect(of('b.ts#C.m')).toMatchObject([{ resolution: 'declared' }]);
  });
});
