import { Command, CommanderError } from 'commander';
import { cleanCommand } from './commands/clean.ts';
import { depsCommand } from './commands/deps.ts';
import { exportCommand } from './commands/export.ts';
import { extractCommand } from './commands/extract.ts';
import { incrementalCommand } from './commands/incremental.ts';
import { lookupCommand } from './commands/lookup.ts';
import { searchCommand } from './commands/search.ts';
import { statsCommand } from './commands/stats.ts';
import { validateCommand } from './commands/validate.ts';
import { watchCommand } from './commands/watch.ts';
import { watchRecoverCommand } from './commands/watch-recover.ts';
import { watchStatusCommand } from './commands/watch-status.ts';
import { usageFailure } from './errors/usage.ts';
import { failureAnswer } from './output/answer.ts';
import { printAnswer } from './output/print.ts';
import type { Run, Session } from './session.ts';

/** In the order of `woods --help`. A definition imports what its command needs when it runs, not before. */
const definitions = [
  extractCommand,
  incrementalCommand,
  watchCommand,
  watchStatusCommand,
  watchRecoverCommand,
  lookupCommand,
  searchCommand,
  depsCommand,
  statsCommand,
  validateCommand,
  exportCommand,
  cleanCommand,
];

const CLOSING = `
Exit codes:
  0  done
  1  no answer: not found, findings, not alive, no index, locked
  2  the call or its surroundings are wrong; nothing was started

Data goes to stdout, words go to stderr.
\`woods <command> --help\` has options and examples.`;

/** Parses `argv` (without node and script), runs the one command that it names, and resolves with the exit code. */
export async function runProgram(argv: readonly string[], session: Session, version: string): Promise<number> {
  const { terminal } = session;
  let exitCode = 0;
  const run: Run = async (options, work) => {
    const format = options.json === true ? 'json' : 'text';
    try {
      const answer = await work(session);
      exitCode = typeof answer === 'number' ? answer : printAnswer(terminal, answer, format);
    } catch (error) {
      const { toFailure } = await import('./errors/translate.ts');
      exitCode = printAnswer(terminal, failureAnswer(toFailure(error)), format);
    } finally {
      terminal.progress(null);
    }
  };
  try {
    await woods(session, version, run).parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    return printAnswer(terminal, failureAnswer(usageFailure(error, argv)), asksForJson(argv) ? 'json' : 'text');
  }
  return exitCode;
}

function woods({ terminal }: Session, version: string, run: Run): Command {
  const program = new Command('woods')
    .description('An index of what a tree contains and how its parts depend on each other.')
    .usage('<command> [options]')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', CLOSING)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeOut: terminal.data, writeErr: () => undefined, outputError: () => undefined });
  for (const define of definitions) define(program, run);
  return program;
}

/** For calls that could not be parsed: did they ask for machine-readable answers? */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json');
}
