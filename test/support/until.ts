/**
 * Waits for a fact outside this process. Looks at every change of `directory`, and each 50 ms, since the fact may not
 * live in a file; rejects with the last thing seen after `timeoutMs`.
 */
import { type FSWatcher, watch } from 'node:fs';

export function until<T>(
  look: () => T | null | undefined | false,
  options: { directory?: string; timeoutMs?: number; what: string },
): Promise<T> {
  const { directory, timeoutMs = 60_000, what } = options;
  return new Promise((resolve, reject) => {
    let watcher: FSWatcher | null = null;
    const finish = (then: () => void) => {
      clearInterval(interval);
      clearTimeout(deadline);
      watcher?.close();
      then();
    };
    const check = () => {
      let value: T | null | undefined | false;
      try {
        value = look();
      } catch (error) {
        finish(() => reject(error));
        return;
      }
      if (value !== null && value !== undefined && value !== false) finish(() => resolve(value));
    };
    const interval = setInterval(check, 50);
    const deadline = setTimeout(() => finish(() => reject(new Error(`not in ${timeoutMs} ms: ${what}`))), timeoutMs);
    if (directory !== undefined) {
      watcher = watch(directory, check);
      watcher.on('error', () => undefined);
    }
    check();
  });
}
