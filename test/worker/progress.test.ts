import { describe, expect, it } from 'vitest';
import { openProgress } from '../../packages/worker/src/run/progress.ts';

function shown(isTTY: boolean) {
  const written: string[] = [];
  const progress = openProgress({
    isTTY,
    write: (text: string | Uint8Array) => {
      written.push(String(text));
      return true;
    },
  });
  return { progress, written };
}

describe('progress', () => {
  it('is one line of a terminal while the first run goes on, and gone after it', () => {
    const { progress, written } = shown(true);
    progress.tell(1, 9);
    progress.begin();
    progress.tell(3, 9);
    progress.tell(9, 9);
    progress.end();
    progress.tell(4, 9);
    expect(written).toEqual(['\r\u001b[K[woods] indexing for the first time: 3 of 9 files', '\r\u001b[K']);
  });

  it('is cleared when the run ends early', () => {
    const { progress, written } = shown(true);
    progress.begin();
    progress.tell(3, 9);
    progress.end();
    expect(written.at(-1)).toBe('\r\u001b[K');
  });

  it('is nothing where there is no terminal', () => {
    const { progress, written } = shown(false);
    progress.begin();
    progress.tell(3, 9);
    progress.end();
    expect(written).toEqual([]);
  });
});
