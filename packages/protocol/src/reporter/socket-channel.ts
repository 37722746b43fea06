import { createConnection } from 'node:net';
import type { OutChannel } from './out-channel.ts';

/** What may wait for the connection or a slow reader; beyond it the supervisor has given us up. */
const MAX_PENDING_BYTES = 65_536;

/**
 * Sends records to the supervisor's socket, in order, connecting in the background. Does not keep the process alive,
 * except in `close` while the rest is sent, and while a supervisor has left the kernel's buffer full. A socket that
 * cannot be reached, or is closed, is given up silently.
 */
export function openSocketChannel(path: string): OutChannel {
  const socket = createConnection({ path });
  socket.unref();
  socket.on('error', () => socket.destroy());
  // the supervisor sends nothing, but its end is only seen by a reader
  socket.resume();

  function write(line: string): void {
    if (socket.destroyed || socket.writableEnded) return;
    socket.write(line);
    if (socket.writableLength > MAX_PENDING_BYTES) socket.destroy();
  }

  function close(timeoutMs: number): Promise<void> {
    if (socket.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      // the timer keeps the process alive meanwhile
      const timer = setTimeout(() => socket.destroy(), timeoutMs);
      socket.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      socket.end(() => socket.destroy());
    });
  }

  return { write, close };
}
