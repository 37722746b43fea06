/** Where encoded records go. Nothing that happens to the other end may throw here or end the process. */
export interface OutChannel {
  write(line: string): void;
  /** Sends what waits, for at most `timeoutMs`, and closes. */
  close(timeoutMs: number): Promise<void>;
}

/** Asks `isDone` now and every `everyMs` until it holds or `timeoutMs` are over; keeps the process alive meanwhile. */
export function settleWithin(timeoutMs: number, everyMs: number, isDone: () => boolean): Promise<void> {
  if (isDone()) return Promise.resolve();
  const deadline = performance.now() + timeoutMs;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!isDone() && performance.now() < deadline) return;
      clearInterval(timer);
      resolve();
    }, everyMs);
  });
}
