import type { CommanderError } from 'commander';
import { Failure } from './failure.ts';

/** A call that could not be parsed, in our words: commander's own line, and its suggestion, if any, as the hint. */
export function usageFailure(error: CommanderError, argv: readonly string[]): Failure {
  if (error.code === 'commander.help') {
    return new Failure('invalid_arguments', 'expected a command', { hint: '`woods --help` lists them' });
  }
  const [first = '', ...rest] = error.message.split('\n');
  const message = first.replace(/^error: /, '').replace(/\.$/, '');
  const suggestion = /\(Did you mean (.+\?)\)/.exec(rest.join(' '))?.[1];
  const hint = suggestion === undefined ? helpHint(error, argv) : `did you mean ${suggestion}`;
  return new Failure('invalid_arguments', message, { hint });
}

function helpHint({ code }: CommanderError, argv: readonly string[]): string {
  const [command = ''] = argv;
  if (code === 'commander.unknownCommand') return '`woods --help` lists the commands';
  if (command.startsWith('-')) return 'options follow the command, as in `woods stats --json`';
  return `\`woods ${command} --help\` says what is possible`;
}
