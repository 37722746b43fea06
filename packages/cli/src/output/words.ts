/** Numbers, times and names as people read them. */

/** `1 file`, `2,100 files`; `plural` where an s is not enough. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/** A whole number with its thousands set off: `2,100`. `toLocaleString` does it too, and loads 60 ms of locales first. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A span of milliseconds: `340 ms`, `2.4 s`, `3 min`, `5 h`, `12 d`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = seconds / 60;
  if (minutes < 120) return `${Math.round(minutes)} min`;
  const hours = minutes / 60;
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} d`;
}

/** Bytes: `812 B`, `4.1 KiB`, `23 MiB`. */
export function bytes(number: number): string {
  if (number < 1_024) return `${number} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = number / 1_024;
  let unit = 0;
  while (value >= 1_024 && unit < units.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** Control characters, and the invisible ones that make a terminal draw something else than what is there. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text from a tree, whole, on one line of a terminal: file names and signatures may hold line ends and escape sequences. */
export function onOneLine(text: string): string {
  return text.replace(UNPRINTABLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A wider cell does not push the others of its column away from the edge of the screen. */
const WIDEST = 72;

/** Rows as aligned columns, two blanks apart; the last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) {
      if (cell.length <= WIDEST) widths[at] = Math.max(widths[at] ?? 0, cell.length);
    }
  }
  return rows.map((row) => {
    const cells = row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)));
    return cells.join('  ').trimEnd();
  });
}
