/** The environment that a real child of a real woods-watch sees, byte for byte. */
import { spawnSync } from 'node:child_process';
import { BINARY } from './woods-watch.ts';

/** Different in each run; their shape is checked instead. */
const VARYING = {
  WOODS_WATCH_LAUNCHER_TOKEN: /^[0-9a-f]{32}$/,
  WOODS_WATCH_ATTEMPT_TOKEN: /^[0-9a-f]{32}$/,
  WOODS_WATCH_EVENT_SOCKET: /^\/tmp\/woods-events-[A-Za-z0-9]{6}\/1$/,
} as const;

/** A shell that stands in between has these of its own. */
export const OF_SHELLS: readonly string[] = ['_', 'SHLVL', 'OLDPWD'];

export interface Start {
  readonly env: Readonly<Record<string, string>>;
  readonly root: string;
  readonly args?: readonly string[];
  /** Put before woods-watch's command line: a wrapper that starts it. */
  readonly wrapper?: readonly string[];
}

/** The arguments of a woods-watch whose command shows what it sees and ends, and which then ends itself. */
export function showing(root: string, args: readonly string[] = []): string[] {
  return [BINARY, '--root', root, '--exit-on-park', '--quiet', ...args, '--', '/bin/cat', '/proc/self/environ'];
}

/** Runs it and returns what the child saw, without what varies. */
export function seenBy({ env, root, args = [], wrapper = [] }: Start): Map<string, string> {
  const [file = process.execPath, ...words] = [...wrapper, process.execPath, ...showing(root, args)];
  return withoutVarying(environmentOf(run(file, words, { env, root })));
}

/** What a program wrote to stdout, as Latin-1: one letter a byte. */
export function run(file: string, words: readonly string[], at: Pick<Start, 'env' | 'root'>): string {
  const ended = spawnSync(file, words, {
    cwd: at.root,
    env: { ...at.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 15_000,
  });
  if (ended.stdout.length === 0) throw new Error(`said nothing, ended with ${ended.status}: ${ended.stderr}`);
  return ended.stdout.toString('latin1');
}

/** NUL-separated entries by name, in Latin-1. A name may be empty, but may not come twice. */
export function environmentOf(bytes: string): Map<string, string> {
  const seen = new Map<string, string>();
  for (const entry of bytes.split('\0').slice(0, -1)) {
    const equals = entry.indexOf('=');
    const name = entry.slice(0, equals);
    if (seen.has(name)) throw new Error(`${name} is there twice`);
    seen.set(name, entry.slice(equals + 1));
  }
  return seen;
}

export function withoutVarying(seen: Map<string, string>): Map<string, string> {
  for (const [name, shape] of Object.entries(VARYING)) {
    const value = seen.get(name) ?? '';
    if (!shape.test(value)) throw new Error(`${name} is ${value}, expected ${shape}`);
    seen.delete(name);
  }
  return seen;
}
