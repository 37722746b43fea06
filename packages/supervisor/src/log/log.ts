import type { Line } from '../states/effect.ts';
import { formatJson, formatText } from './format.ts';
import type { Sink } from './sink.ts';

/** Says our own lines. Never throws, never blocks. */
export type Log = (line: Line) => void;

export interface LogOptions {
  readonly format: 'text' | 'json';
  /** `quiet` keeps to warnings and errors. */
  readonly volume: 'normal' | 'quiet';
  readonly colour: 'colour' | 'plain';
  /** For the time in JSON lines. */
  readonly date: () => Date;
}

export function openLog(sink: Sink, options: LogOptions): Log {
  return (line) => {
    if (options.volume === 'quiet' && line.level === 'info') return;
    sink(options.format === 'json' ? formatJson(line, options.date()) : formatText(line, options.colour));
  };
}

/** Colour is for people at a terminal who did not ask for none (https://no-color.org). */
export function chooseColour(input: {
  isTerminal: boolean;
  env: Readonly<Record<string, string | undefined>>;
}): LogOptions['colour'] {
  const refused = (input.env.NO_COLOR ?? '') !== '' || input.env.TERM === 'dumb';
  return input.isTerminal && !refused ? 'colour' : 'plain';
}
