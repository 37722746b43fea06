const LOOK_MS = 5;

/** Waits until `look` returns something other than undefined or false; fails with `what` after `withinMs`. */
export async function eventually<T>(what: string, look: () => T | undefined | false, withinMs = 15_000): Promise<T> {
  for (const start = performance.now(); performance.now() - start < withinMs; ) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new Error(`waited ${withinMs} ms in vain for ${what}`);
}
