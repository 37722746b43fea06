/** How far the first run is, on one line of a terminal; nothing where stderr is no terminal. */
export interface Progress {
  /** From now on what is told is shown. */
  begin(): void;
  tell(done: number, total: number): void;
  end(): void;
}

const CLEAR_LINE = '\r\u001b[K';

export function openProgress(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): Progress {
  let shown = false;
  const clear = (): void => {
    if (shown) stream.write(CLEAR_LINE);
    shown = false;
  };
  let begun = false;
  return {
    begin: () => {
      begun = stream.isTTY;
    },
    tell: (done, total) => {
      if (!begun) return;
      if (done >= total) return clear();
      shown = true;
      stream.write(`${CLEAR_LINE}[woods] indexing for the first time: ${done} of ${total} files`);
    },
    end: () => {
      begun = false;
      clear();
    },
  };
}
