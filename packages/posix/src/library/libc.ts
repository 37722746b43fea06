import { bindLazily } from './c-library.ts';

export interface Libc {
  readonly flock: (fd: number, operation: number) => number;
  /** `fcntl` is variadic: the third argument goes in as a type and a value. */
  readonly fcntl: (fd: number, command: number, type: 'int', value: number) => number;
  /** The first argument is an array of `struct pollfd`, changed in place. */
  readonly poll: (requests: Int32Array, count: number, timeoutMs: number) => number;
  /** The second argument would be filled with the status, which nobody needs here. */
  readonly waitpid: (pid: number, status: null, options: number) => number;
  /** Linux only, and looked for at its first call. */
  readonly prctl: (option: number, value: number, ...unused: [0, 0, 0]) => number;
  /** Does not come back. */
  readonly exit: (code: number) => void;
  /** Number of the last error of a call of ours. */
  readonly errno: () => number;
}

/** The C library, loaded at the first call that needs it. Throws PosixUnavailable, each time, where it cannot be had. */
export const libc: () => Libc = bindLazily((library, errno) => ({
  flock: library.func('int flock(int, int)') as Libc['flock'],
  fcntl: library.func('int fcntl(int, int, ...)') as Libc['fcntl'],
  poll: library.func('int poll(void *, unsigned long, int)') as Libc['poll'],
  waitpid: library.func('int waitpid(int, void *, int)') as Libc['waitpid'],
  prctl: (...words) => {
    const longs = 'unsigned long, unsigned long, unsigned long, unsigned long';
    return (library.func(`int prctl(int, ${longs})`) as Libc['prctl'])(...words);
  },
  exit: library.func('void _exit(int)') as Libc['exit'],
  errno,
}));
