import { parseObject, parseObjectWithComments } from '@woods/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const NONE = ['', '{"a": }', '[]', 'null', '"text"', '1', '{} {}'];

describe('parseObject', () => {
  it.each(NONE)('%j holds none', (text) => {
    expect(parseObject(text)).toBeNull();
  });

  it('gives back what was written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        expect(parseObject(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('parseObjectWithComments', () => {
  it.each([
    ['{"a": 1} // end', { a: 1 }],
    ['\uFEFF{ /* one\n two */ "a": "//not", "b": "/*nor*/", }', { a: '//not', b: '/*nor*/' }],
    ['{"a": ["x",\n// c\n],\n}', { a: ['x'] }],
    ['{"a": [1, /* x */ ]}', { a: [1] }],
    ['{"quote": "\\"//", "comma": ",]"}', { quote: '"//', comma: ',]' }],
    ['{} /* open', {}],
    ['/* open', null],
    ['["a", /* x */ ]', null],
    ...NONE.map((text): [string, null] => [text, null]),
  ])('%j', (text, value) => {
    expect(parseObjectWithComments(text)).toEqual(value);
  });

  it('reads all plain JSON as it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.integer({ min: 0, max: 2 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseObjectWithComments(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});
