import { parentPort } from 'node:worker_threads';
import type { ThreadMessage } from './thread-messages.ts';

/** From a watching thread to whoever started it. */
export function tell(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}
