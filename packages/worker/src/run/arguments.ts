/** The command line of `woods-worker`. Pure. */
import { parseArgs } from 'node:util';
import { UsageError } from '@woods/protocol';
import type { BackendChoice, WorkerOptions } from './options.ts';

const BACKENDS: readonly string[] = ['auto', 'inotify', 'fsevents', 'polling'] satisfies BackendChoice[];

const OPTIONS = {
  root: { type: 'string' },
  output: { type: 'string' },
  backend: { type: 'string' },
  interval: { type: 'string' },
  once: { type: 'boolean' },
  'max-seconds': { type: 'string' },
  'idle-timeout': { type: 'string' },
  'max-files': { type: 'string' },
} as const;

/** Throws UsageError for an unknown option and for a value that is none. */
export function argumentsOf(argv: readonly string[]): WorkerOptions {
  const { root, output, once, backend, ...values } = parse(argv).values;
  return {
    root,
    output,
    once,
    backend: backend === undefined ? undefined : backendOf(backend),
    interval: numberOf('--interval', values.interval),
    maxSeconds: numberOf('--max-seconds', values['max-seconds']),
    idleTimeout: numberOf('--idle-timeout', values['idle-timeout']),
    maxFiles: numberOf('--max-files', values['max-files']),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, strict: true, allowPositionals: false });
  } catch (error) {
    const names = Object.keys(OPTIONS).map((name) => `--${name}`);
    const found = error instanceof Error ? error.message.split('. ', 1)[0] : String(error);
    throw new UsageError(`${found}; the options are ${names.join(', ')}`);
  }
}

function backendOf(value: string): BackendChoice {
  if (isBackend(value)) return value;
  throw new UsageError(`--backend must be one of ${BACKENDS.join(', ')}; found ${value}`);
}

function isBackend(value: string): value is BackendChoice {
  return BACKENDS.includes(value);
}

/** Seconds or files; ranges are checked where the settings are. */
function numberOf(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() !== '' && Number.isFinite(number) && number > 0) return number;
  throw new UsageError(`${option} must be a number above 0; found ${value}`);
}
