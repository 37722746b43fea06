import type { Terminal } from '../output/terminal.ts';
import { grouped } from '../output/words.ts';

/** Often enough to be seen moving, seldom enough to cost nothing. */
const INTERVAL_MS = 100;

/** Shows how many of the files a run has looked at, and that it is not over after the last one. `now` is monotonic, in ms. */
export function progressOf(
  name: string,
  terminal: Pick<Terminal, 'progress'>,
  now: () => number = () => performance.now(),
): (done: number, total: number) => void {
  let shownAt = Number.NEGATIVE_INFINITY;
  return (done, total) => {
    if (done < total && now() - shownAt < INTERVAL_MS) return;
    shownAt = now();
    const rest = done < total ? '' : '; linking and publishing';
    terminal.progress(`${name}: ${grouped(done)} of ${grouped(total)} files${rest}`);
  };
}
