import { createRequire } from 'node:module';
import type { Duplex } from 'node:stream';

/** What we use of `ndjson`, which brings no types. */
interface Ndjson {
  parse(options: { strict: boolean }): Duplex;
}

/** The parsed line, or null when it is not JSON; `line` must start with `{`. */
export type LineParser = (line: string) => { readonly value: unknown } | null;

/**
 * Puts one line at a time through `ndjson` and takes its value out at once, so that a bad line is known before anything
 * after it is looked at. The library is loaded here and not at start: only a supervisor reads a channel.
 */
export function openLineParser(): LineParser {
  const require = createRequire(import.meta.url);
  const ndjson: Ndjson = require('ndjson');
  const parser = ndjson.parse({ strict: true });
  parser.on('error', () => {
    // a bad line gives no value, which is how it is told from a good one below
  });
  return (line) => {
    parser.write(`${line}\n`);
    const value: unknown = parser.read();
    return value === null ? null : { value };
  };
}
