import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytes, columns, count, duration, onOneLine } from '../../packages/cli/src/output/words.ts';

describe('words', () => {
  it.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [1_500, '1.5 s'],
    [9_960, '10 s'],
    [119_000, '119 s'],
    [180_000, '3 min'],
    [7_200_000, '2 h'],
    [172_800_000, '2 d'],
    [-5, '0 ms'],
  ])('duration %d is %s', (milliseconds, words) => {
    expect(duration(milliseconds)).toBe(words);
  });

  it.each([
    [0, '0 B'],
    [1_023, '1023 B'],
    [1_536, '1.5 KiB'],
    [24_117_248, '23 MiB'],
    [2 ** 60, '1048576 TiB'],
  ])('%d bytes are %s', (number, words) => {
    expect(bytes(number)).toBe(words);
  });

  it('counts', () => {
    expect([count(1, 'file'), count(2_100, 'file'), count(0, 'match', 'matches')]).toEqual([
      '1 file',
      '2,100 files',
      '0 matches',
    ]);
  });

  it('columns line up, and no line ends in blanks', () => {
    expect(columns([['a', 'b', ''], ['long', 'b'], []])).toEqual(['a     b', 'long  b', '']);
  });

  it('on one line, nothing is left that moves a cursor, and plain text is as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(onOneLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(onOneLine(text)).toBe(text);
      }),
    );
  });
});
