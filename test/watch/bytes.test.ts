import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePath, displayPath, encodePath } from '../../packages/watch/src/bytes/path.ts';

const anyBytes = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1'));

describe('byte paths', () => {
  it('carry any text there and back', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => decodePath(encodePath(text)) === text));
  });

  it('carry any bytes: what decodes is what was encoded', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const text = decodePath(bytes);
        return text === null || encodePath(text) === bytes;
      }),
    );
  });

  it('are null as text when they are not UTF-8', () => {
    expect(decodePath('caf\xe9.ts')).toBeNull();
    expect(decodePath(encodePath('café.ts'))).toBe('café.ts');
  });

  it('show as one line whatever they hold', () => {
    expect(displayPath('a\nb\tc')).toBe('a\\x0ab\\x09c');
    expect(displayPath('caf\xe9')).toBe('caf\\xe9');
    expect(displayPath(encodePath('日本.ts'))).toBe('日本.ts');
    fc.assert(fc.property(anyBytes, (bytes) => !/\p{Cc}/u.test(displayPath(bytes))));
  });
});
