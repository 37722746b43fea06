import { bindLazily } from '../library/c-library.ts';

export interface InotifyLibrary {
  readonly init: (flags: number) => number;
  /** The path is NUL-terminated bytes. */
  readonly addWatch: (fd: number, path: Uint8Array, mask: number) => number;
  readonly removeWatch: (fd: number, watch: number) => number;
  readonly eventfd: (initial: number, flags: number) => number;
  readonly poll: (requests: Int32Array, count: number, timeoutMs: number) => number;
  readonly read: (fd: number, buffer: Uint8Array, bytes: number) => number | bigint;
  /** Node keeps a list of the descriptors that a thread opened, and complains when others are closed through it. */
  readonly close: (fd: number) => number;
  readonly errno: () => number;
}

/** Linux only: elsewhere the C library has no such functions. Synchronous calls alone, no callbacks. */
export const inotifyLibrary: () => InotifyLibrary = bindLazily((library, errno) => ({
  init: library.func('int inotify_init1(int)') as InotifyLibrary['init'],
  addWatch: library.func('int inotify_add_watch(int, const void *, uint32_t)') as InotifyLibrary['addWatch'],
  removeWatch: library.func('int inotify_rm_watch(int, int)') as InotifyLibrary['removeWatch'],
  eventfd: library.func('int eventfd(unsigned int, int)') as InotifyLibrary['eventfd'],
  poll: library.func('int poll(void *, unsigned long, int)') as InotifyLibrary['poll'],
  read: library.func('long read(int, void *, unsigned long)') as InotifyLibrary['read'],
  close: library.func('int close(int)') as InotifyLibrary['close'],
  errno,
}));
