/** Where a command's output goes: data to stdout, words to stderr. */
export interface Terminal {
  /** Writes to stdout as it is. */
  data(text: string): void;
  /** Writes one line to stderr, prefixed with `woods: `. */
  say(line: string): void;
  /** Shows `text` in place of the last progress text; null takes it away. Does nothing where stderr is no TTY. */
  progress(text: string | null): void;
}

/**
 * The terminal of this process. A reader that goes away (`| head -1`) is no error: what is written after that is
 * dropped, and the command ends with the code that it would have had.
 */
export function systemTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endUnlessClosedPipe);
  const showsProgress = process.stderr.isTTY === true && process.env.TERM !== 'dumb';
  let shown = false;
  const progress = (text: string | null) => {
    if (!showsProgress || (text === null && !shown)) return;
    const width = Math.max(20, process.stderr.columns || 80) - 1;
    process.stderr.write(`\r\u001b[2K${text === null ? '' : text.slice(0, width)}`);
    shown = text !== null;
  };
  return {
    data: (text) => {
      progress(null);
      process.stdout.write(text);
    },
    say: (line) => {
      progress(null);
      process.stderr.write(`woods: ${line}\n`);
    },
    progress,
  };
}

/** Output that cannot be written is no answer, whatever the command found. */
function endUnlessClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`woods: the output cannot be written: ${error.message}\n`);
  process.exit(1);
}
