import type { Answer } from './answer.ts';
import type { Terminal } from './terminal.ts';

/** Lines are gathered into pieces of this many characters: a write costs more than a line. */
const PIECE = 65_536;

/** Prints an answer and returns its exit code. */
export function printAnswer(terminal: Terminal, answer: Answer, format: 'text' | 'json'): number {
  for (const line of answer.words) terminal.say(line);
  if (format === 'json') {
    terminal.data(`${JSON.stringify(answer.json)}\n`);
    return answer.exitCode;
  }
  let piece = '';
  for (const line of answer.text) {
    piece += `${line}\n`;
    if (piece.length < PIECE) continue;
    terminal.data(piece);
    piece = '';
  }
  if (piece !== '') terminal.data(piece);
  return answer.exitCode;
}
