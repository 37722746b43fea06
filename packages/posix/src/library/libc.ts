import { createRequire } from 'node:module';
import { getSystemErrorName } from 'node:util';
import { PosixUnavailable } from './unavailable.ts';

/** What we use of koffi; its own types are not loaded, so that a platform without it still compiles and starts. */
interface Koffi {
  load(path: string | null): Library;
  errno(): number;
}

interface Library {
  func(prototype: string): (...args: never[]) => unknown;
}

export interface Libc {
  readonly flock: (fd: number, operation: number) => number;
  /** `fcntl` is variadic: the third argument goes in as a type and a value. */
  readonly fcntl: (fd: number, command: number, type: 'int', value: number) => number;
  /** The first argument is an array of `struct pollfd`, changed in place. */
  readonly poll: (requests: Int32Array, count: number, timeoutMs: number) => number;
  /** Does not come back. */
  readonly exit: (code: number) => void;
  /** Number of the last error of a call of ours. */
  readonly errno: () => number;
}

/** The process itself has the C library open, whatever it is called; the names are for where that cannot be searched. */
const LIBRARIES: readonly (string | null)[] = [
  null,
  'libc.so.6',
  `libc.musl-${muslArchitecture()}.so.1`,
  `/lib/ld-musl-${muslArchitecture()}.so.1`,
  '/usr/lib/libSystem.B.dylib',
  'libc.so.7',
];

let known: Libc | PosixUnavailable | null = null;

/** The C library, loaded at the first call that needs it. Throws PosixUnavailable, each time, where it cannot be had. */
export function libc(): Libc {
  known ??= loadLibc();
  if (known instanceof PosixUnavailable) throw known;
  return known;
}

/** The error of a failed call as Node writes them: `flock: EBADF`. */
export function callError(call: string, errno: number): NodeJS.ErrnoException {
  const code = getSystemErrorName(-errno);
  return Object.assign(new Error(`${call}: ${code}`), { code, errno: -errno, syscall: call });
}

function loadLibc(): Libc | PosixUnavailable {
  try {
    const require = createRequire(import.meta.url);
    const koffi: Koffi = require('koffi');
    return bind(koffi);
  } catch (error) {
    const cause = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return new PosixUnavailable(
      `expected koffi to load on ${process.platform}-${process.arch}, found: ${cause}; ` +
        'install its optional package for this platform (npm install without --omit=optional)',
    );
  }
}

function bind(koffi: Koffi): Libc {
  let failure: unknown = null;
  for (const path of LIBRARIES) {
    try {
      const library = koffi.load(path);
      return {
        // koffi checks the arguments against the prototypes, which is what makes these types true
        flock: library.func('int flock(int, int)') as Libc['flock'],
        fcntl: library.func('int fcntl(int, int, ...)') as Libc['fcntl'],
        poll: library.func('int poll(void *, unsigned long, int)') as Libc['poll'],
        exit: library.func('void _exit(int)') as Libc['exit'],
        errno: () => koffi.errno(),
      };
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function muslArchitecture(): string {
  const names: Partial<Record<NodeJS.Architecture, string>> = { x64: 'x86_64', arm64: 'aarch64', ia32: 'i386' };
  return names[process.arch] ?? process.arch;
}
