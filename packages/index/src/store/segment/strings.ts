import { NONE } from './columns.ts';

/** Gives each distinct string one number, in the order of first use. */
export interface StringTable {
  add(text: string): number;
  addOptional(text: string | null): number;
  /** `offsets` has one element more than there are strings: where the last one ends. */
  finish(): { count: number; offsets: Uint32Array; bytes: Uint8Array };
}

const encoder = new TextEncoder();

export function createStringTable(): StringTable {
  const numbers = new Map<string, number>();
  let characters = 0;

  const add = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(text, number);
    characters += text.length;
    return number;
  };

  return {
    add,
    addOptional: (text) => (text === null ? NONE : add(text)),
    finish: () => {
      const offsets = new Uint32Array(numbers.size + 1);
      // A UTF-16 code unit takes three bytes of UTF-8 at most, and one in nearly all source code.
      let bytes = new Uint8Array(characters + 64);
      let end = 0;
      let number = 0;
      for (const text of numbers.keys()) {
        if (bytes.length - end < text.length * 3) bytes = grown(bytes, end + text.length * 3);
        end += encoder.encodeInto(text, bytes.subarray(end)).written;
        number += 1;
        offsets[number] = end;
      }
      return { count: numbers.size, offsets, bytes: bytes.subarray(0, end) };
    },
  };
}

function grown(bytes: Uint8Array, atLeast: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(atLeast, Math.ceil(bytes.length * 1.5)));
  larger.set(bytes);
  return larger;
}
