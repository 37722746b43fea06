/** Which strings of a segment can match at all: one pass over the bytes of all names instead of one over each. */
import { type Segment, stringAround } from '../store/segment/segment.ts';
import type { Pattern } from './pattern.ts';

/** By the number of the string: 1 where the pattern occurs. Null when that cannot be told without decoding. */
export function candidateStrings(segment: Segment, { rough }: Pattern): Uint8Array | null {
  if (rough === null) return null;
  const { string_offset } = segment.columns;
  const end = string_offset[nameStrings(segment)] ?? 0;
  // One character a byte: offsets stay what they are, and an ASCII pattern finds its bytes.
  const text = segment.text.toString('latin1', 0, end);
  const found = new Uint8Array(segment.header.counts.string);
  rough.lastIndex = 0;
  for (let match = rough.exec(text); match !== null; match = rough.exec(text)) {
    const string = stringAround(segment, match.index);
    found[string] = 1;
    rough.lastIndex = string_offset[string + 1] ?? end;
  }
  return found;
}

/** How many strings there are up to the last one that is a path or a name: behind them are signatures and comments. */
function nameStrings(segment: Segment): number {
  const { file_path, unit_name, unit_qualified } = segment.columns;
  const { string } = segment.header.counts;
  let last = -1;
  for (const column of [file_path, unit_name, unit_qualified]) {
    for (const number of column) if (number > last && number < string) last = number;
  }
  return last + 1;
}
