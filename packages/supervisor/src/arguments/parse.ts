import { UsageError } from '@woods/protocol';
import { Command, CommanderError, Option } from 'commander';
import type { Override } from '../environment/child-environment.ts';
import type { Options, Request } from './options.ts';
import { assignment, choice, count, directory, seconds, variableName } from './values.ts';

const EXAMPLES = `
With no command it runs the worker that comes with Woods.

Examples:
  woods-watch                                  keep the index of this repository current
  woods-watch --root ../app                    the same for another one
  woods-watch -- npx woods watch               a worker started through a wrapper
  woods-watch --env NODE_ENV=development -- bundle exec rake woods:watch
  woods-watch --exit-on-park --max-failures 5  let a container's restart policy decide

Signals: TERM, INT, HUP and QUIT stop the command and everything it started; a second TERM or INT kills at once;
USR2 restarts the command now.
Exit codes: 0 stopped by TERM, 2 wrong usage, 78 parked (with --exit-on-park); INT, HUP and QUIT show as the signal.
`;

/**
 * Reads the arguments after the program's name. Throws UsageError for anything that is not understood; help and version
 * come back as text and start nothing.
 */
export function parseArguments(argv: readonly string[], version: string): Request {
  const said: string[] = [];
  const overrides: Override[] = [];
  const program = describe(version, overrides, (text) => said.push(text));
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'tell', text: said.join('') };
    // a suggestion comes on a line of its own
    const complaint = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
    throw new UsageError(`${complaint}; see woods-watch --help`);
  }
  return { kind: 'run', options: collect(program, overrides) };
}

/** For command lines that could not be understood: was JSON asked for? What follows `--` is the command's. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const own = end < 0 ? argv : argv.slice(0, end);
  return own.some((word, at) => word === '--log-format=json' || (word === 'json' && own[at - 1] === '--log-format'));
}

function describe(version: string, overrides: Override[], say: (text: string) => void): Command {
  return new Command('woods-watch')
    .description('Runs a worker in the foreground, restarts it when it fails, and leaves no process behind.')
    .usage('[options] [-- command [arguments...]]')
    .argument('[command...]', 'what to run, as it stands: no shell reads it')
    .option(
      '--root <path>',
      'application root (default: the nearest woods.json, repository or package upward)',
      directory('--root'),
    )
    .addOption(
      new Option('--boot-timeout <seconds>', 'time until the command names its index')
        .argParser(seconds('--boot-timeout'))
        .default(300_000, '300'),
    )
    .addOption(
      new Option('--shutdown-timeout <seconds>', 'time from TERM to KILL')
        .argParser(seconds('--shutdown-timeout'))
        .default(3_500, '3.5'),
    )
    .option('--env <name=value>', "set a variable in the command's environment (repeatable)", (text) => {
      overrides.push(assignment(text));
    })
    .option('--unset <name>', "remove one from the command's environment (repeatable)", (text) => {
      overrides.push(variableName(text));
    })
    .option('--exit-on-park', 'end with 78 instead of waiting parked')
    .option(
      '--max-failures <n>',
      "end with the command's exit code at the nth failure",
      count('--max-failures', { min: 1 }),
    )
    .option('--notify-fd <fd>', 'write a newline to this descriptor when ready', count('--notify-fd', { min: 3 }))
    .option('--log-format <format>', 'text or json', choice('--log-format', ['text', 'json']), 'text')
    .option('--quiet', 'only warnings and errors')
    .version(version, '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .addHelpText('after', EXAMPLES)
    .passThroughOptions()
    .exitOverride()
    .configureOutput({ writeOut: say, writeErr: () => {} });
}

function collect(program: Command, overrides: readonly Override[]): Options {
  // commander types what it collected as `any`; this is what describe() makes of it
  const found = program.opts<{
    root?: string;
    bootTimeout: number;
    shutdownTimeout: number;
    exitOnPark?: true;
    maxFailures?: number;
    notifyFd?: number;
    logFormat: 'text' | 'json';
    quiet?: true;
  }>();
  const [file, ...args] = program.args;
  return {
    root: found.root ?? null,
    command: file === undefined ? null : [file, ...args],
    bootTimeoutMs: found.bootTimeout,
    shutdownTimeoutMs: found.shutdownTimeout,
    overrides,
    exitOnPark: found.exitOnPark ?? false,
    maxFailures: found.maxFailures ?? null,
    notifyFd: found.notifyFd ?? null,
    logFormat: found.logFormat,
    volume: found.quiet ? 'quiet' : 'normal',
  };
}
