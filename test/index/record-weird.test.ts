import { describe, expect, test } from 'vitest';
import { loadRecorder } from '../../packages/index/src/record/recorder.ts';
import { recordOf, sourceOf, unitsOf } from './support/record.ts';

describe('files that nobody hoped for', () => {
  test('a byte order mark counts three bytes', () => {
    expect(sourceOf('\uFEFFfunction a() {}', 'a')).toBe('function a() {}');
  });

  test('lines end with CRLF', () => {
    const record = recordOf('function a() {\r\n}\r\n\r\nfunction b() {}\r\n');
    expect(record.lines).toBe(4);
    expect(record.units.map((unit) => unit.span.slice(2))).toEqual([
      [1, 4],
      [1, 2],
      [4, 4],
    ]);
  });

  test('an empty file is a module of one line', () => {
    expect(recordOf('')).toMatchObject({
      bytes: 0,
      lines: 1,
      errors: [],
      units: [{ type: 'module', span: [0, 0, 1, 1] }],
    });
  });

  test('merge conflicts are errors, and both sides are recorded', () => {
    const text = '<<<<<<< ours\nfunction a() {}\n=======\nfunction b() {}\n>>>>>>> theirs\nfunction c() {}\n';
    expect(recordOf(text).errors[0]).toEqual({ line: 1, message: 'Merge conflict marker encountered.' });
    expect(unitsOf(text)).toContain('function c');
  });

  test('names that break objects', () => {
    const text =
      'export class A { __proto__() {} toJSON() { return this.constructor() } constructor() {} hasOwnProperty() {} }\nexport const __proto__ = 1;';
    const record = recordOf(text);
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
    expect(unitsOf(text)).toEqual([
      'class A',
      'method A.__proto__',
      'method A.toJSON',
      'method A.constructor',
      'method A.hasOwnProperty',
      'variable __proto__',
    ]);
    expect(record.exports.map(([name]) => name)).toEqual(['A', '__proto__']);
  });

  test('errors tell line and cause without quoting the file', () => {
    const [error] = recordOf('const a = 1;\nclass Sup3rSecret extends { x: "hunter2" y }\n').errors;
    expect(error?.line).toBe(2);
    expect(error?.message).not.toMatch(/hunter2|Sup3rSecret/);
  });

  test('a large file on a single line is recorded in time that grows with its size', () => {
    const text = Array.from({ length: 20_000 }, (_, n) => `function f${n}(){return "é${n}"}`).join(';');
    const start = performance.now();
    expect(sourceOf(text, 'f19999')).toBe('function f19999(){return "é19999"}');
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  test('ten thousand operands in one expression', () => {
    expect(unitsOf(`export const a = ${Array(10_000).fill('x').join(' + ')};`)).toEqual(['variable a']);
  });

  test('nesting beyond the stack is skipped with a reason', async () => {
    const record = await loadRecorder();
    const text = '['.repeat(200_000);
    expect(record(text, text.length, 'javascript')).toEqual({ skipped: 'nested too deeply to be parsed' });
  });

  test('a thousand declarations of one name', () => {
    const text = 'var a = 1; function a() {}\n'.repeat(1000);
    expect(new Set(unitsOf(text)).size).toBe(1000);
  });

  test('top-level await without any import is no error', () => {
    expect(recordOf('const a = await fetch("x");').errors).toEqual([]);
  });

  test('type arguments in JavaScript are comparisons', () => {
    const record = recordOf('const f = 1; f < a > (b);', 'javascript');
    expect(record.errors).toEqual([]);
    expect(record.sites).toEqual([]);
  });
});
