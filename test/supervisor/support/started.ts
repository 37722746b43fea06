/** The woods-watch processes of a test: what a failed one left is ended and removed after it. */
import { afterEach } from 'vitest';
import { type Running, watch } from './woods-watch.ts';

const started: Running[] = [];

export function start(...args: Parameters<typeof watch>): Running {
  const running = watch(...args);
  started.push(running);
  return running;
}

afterEach(() => {
  for (const running of started.splice(0)) running.clean();
});
