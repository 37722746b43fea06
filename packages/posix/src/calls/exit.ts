import { libc } from '../library/libc.ts';

/**
 * `_exit(2)`: ends the process at once, with all its threads; the kernel takes the memory back. `process.exit` first waits
 * until the heap of every worker thread is dismantled, 100 ms and more for a large one. `exit` listeners are called,
 * nothing else is: what is still buffered in this process is lost. Throws PosixUnavailable without koffi.
 */
export function exitNow(code: number): void {
  const c = libc();
  process.exitCode = code;
  process.emit('exit', code);
  c.exit(code);
}
