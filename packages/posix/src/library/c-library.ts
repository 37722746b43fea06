import { createRequire } from 'node:module';
import { getSystemErrorName } from 'node:util';
import { PosixUnavailable } from './unavailable.ts';

/** What we use of koffi; its own types are not loaded, so that a platform without it still compiles and starts. */
interface Koffi {
  load(path: string | null): CLibrary;
  errno(): number;
}

export interface CLibrary {
  /** koffi checks arguments against the prototype at each call, which is what makes the types given to it true. */
  func(prototype: string): (...args: never[]) => unknown;
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

/**
 * Binds functions of the C library by `bind`; what comes back does so at the first call and keeps the result. It throws
 * PosixUnavailable, each time, where koffi does not load or the library has no such function.
 */
export function bindLazily<Bound>(bind: (library: CLibrary, errno: () => number) => Bound): () => Bound {
  let known: { readonly bound: Bound } | PosixUnavailable | null = null;
  return () => {
    known ??= attempt(bind);
    if (known instanceof PosixUnavailable) throw known;
    return known.bound;
  };
}

/** The error of a failed call as Node writes them: `flock: EBADF`. */
export function callError(call: string, errno: number): NodeJS.ErrnoException {
  const code = getSystemErrorName(-errno);
  return Object.assign(new Error(`${call}: ${code}`), { code, errno: -errno, syscall: call });
}

function attempt<Bound>(
  bind: (library: CLibrary, errno: () => number) => Bound,
): { readonly bound: Bound } | PosixUnavailable {
  try {
    const require = createRequire(import.meta.url);
    const koffi: Koffi = require('koffi');
    return { bound: bindFirst(koffi, bind) };
  } catch (error) {
    const cause = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return new PosixUnavailable(
      `expected koffi to load on ${process.platform}-${process.arch}, found: ${cause}; ` +
        'install its optional package for this platform (npm install without --omit=optional)',
    );
  }
}

function bindFirst<Bound>(koffi: Koffi, bind: (library: CLibrary, errno: () => number) => Bound): Bound {
  let failure: unknown = null;
  for (const path of LIBRARIES) {
    try {
      return bind(koffi.load(path), () => koffi.errno());
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
