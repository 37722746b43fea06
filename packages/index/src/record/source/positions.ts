/** Code units between two remembered byte offsets: keeps a file of one huge line from costing quadratic time. */
const STRIDE = 128;

const NEWLINE = 10;

/** From UTF-16 offsets, as the parser counts, to bytes and 1-based lines, as readers of files count. */
export interface Positions {
  readonly lines: number;
  byteOf(offset: number): number;
  lineOf(offset: number): number;
}

/** `bytes` is the length of the text in UTF-8. Lines end at `\n` alone, as in git, grep and editors. */
export function measurePositions(text: string, bytes: number): Positions {
  const starts = lineStarts(text);
  return {
    lines: starts.length,
    byteOf: bytes === text.length ? (offset) => offset : byteCounter(text),
    lineOf: lineFinder(starts),
  };
}

/** A last line without text is none: the end of the file belongs to the line before it. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0 && at + 1 < text.length; at = text.indexOf('\n', at + 1))
    starts.push(at + 1);
  return starts;
}

/** Neighbouring questions mostly fall on the same line, so the last answer is tried first. */
function lineFinder(starts: readonly number[]): (offset: number) => number {
  let last = 0;
  const startOf = (line: number) => starts[line] ?? Number.POSITIVE_INFINITY;
  return (offset) => {
    if (startOf(last) <= offset && offset < startOf(last + 1)) return last + 1;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (startOf(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    last = low;
    return low + 1;
  };
}

function byteCounter(text: string): (offset: number) => number {
  const marks = new Int32Array(Math.floor(text.length / STRIDE) + 1);
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    if (at % STRIDE === 0) marks[at / STRIDE] = bytes;
    bytes += byteWidth(text.charCodeAt(at));
  }
  if (text.length % STRIDE === 0) marks[text.length / STRIDE] = bytes;
  return (offset) => {
    const mark = Math.floor(offset / STRIDE);
    let count = marks[mark] ?? bytes;
    for (let at = mark * STRIDE; at < offset; at++) count += byteWidth(text.charCodeAt(at));
    return count;
  };
}

/** A surrogate counts half of the four bytes of its pair. */
function byteWidth(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code >= 0xd800 && code <= 0xdfff ? 2 : 3;
}

/** Whether only white space stands between the two offsets, with at least one empty line. */
export function blankLineBetween(text: string, start: number, end: number): boolean {
  let newlines = 0;
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === NEWLINE) newlines++;
  return newlines > 1;
}
