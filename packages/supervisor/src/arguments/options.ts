import type { Override } from '../environment/child-environment.ts';

/** The command line, read and checked on its own. Times in milliseconds. */
export interface Options {
  readonly root: string | null;
  /** Null: the bundled worker. */
  readonly command: readonly [string, ...string[]] | null;
  readonly bootTimeoutMs: number;
  readonly shutdownTimeoutMs: number;
  readonly overrides: readonly Override[];
  readonly exitOnPark: boolean;
  readonly maxFailures: number | null;
  readonly notifyFd: number | null;
  readonly logFormat: 'text' | 'json';
  readonly volume: 'normal' | 'quiet';
}

/** What a command line asks for: to supervise, or only to be told something. */
export type Request =
  | { readonly kind: 'run'; readonly options: Options }
  | { readonly kind: 'tell'; readonly text: string };
