import type { Command } from 'commander';

/** Options of every command. */
export interface CommonOptions {
  readonly root?: string;
  readonly output?: string;
  readonly json?: true;
}

/** What a call does, and the call: shown by `--help`, and run by the tests as it stands. */
export type Example = readonly [what: string, call: string];

/** Adds `--root`, `--output`, `--json` and the examples to a command. */
export function withCommon(command: Command, examples: readonly Example[]): Command {
  const lines = examples.map(([what, call]) => `  ${what}:\n    $ ${call}`);
  return command
    .option('--root <path>', 'root of the tree (default: found from the current directory upward)')
    .option('--output <path>', 'index directory, relative to the root (default: tmp/woods)')
    .option('--json', 'one JSON object on stdout')
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}
