import { libc } from '../library/libc.ts';

const POLLOUT = 4;

/**
 * Whether a write of less than 4 KiB to `fd` would return at once. True as well when the write would fail at once, since
 * that is no waiting either. Throws PosixUnavailable without koffi.
 */
export function isWritable(fd: number): boolean {
  // struct pollfd is the same everywhere: int fd, short events, short revents
  const request = new Int32Array(2);
  const events = new Int16Array(request.buffer);
  request[0] = fd;
  events[2] = POLLOUT;
  return libc().poll(request, 1, 0) > 0;
}
