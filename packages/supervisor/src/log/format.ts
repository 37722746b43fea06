import type { Line } from '../states/effect.ts';

const PREFIX = '[woods-watch]';
const COLOUR: Readonly<Record<Line['level'], string>> = { info: '\x1b[2m', warn: '\x1b[33m', error: '\x1b[31m' };
const RESET = '\x1b[0m';

/** One line for people. What a child or a path may have smuggled into the text cannot break out of its line. */
export function formatText(line: Line, colour: 'colour' | 'plain'): string {
  const text = oneLine(line.text);
  return colour === 'plain' ? `${PREFIX} ${text}\n` : `${COLOUR[line.level]}${PREFIX}${RESET} ${text}\n`;
}

/** One JSON object for programs: time, level, event, message, and the fields of the event. */
export function formatJson(line: Line, date: Date): string {
  const { level, event, text, fields } = line;
  return `${JSON.stringify({ time: date.toISOString(), level, event, message: text, ...fields })}\n`;
}

function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?');
}
