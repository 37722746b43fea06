import type { Command } from 'commander';
import { type CommonOptions, withCommon } from '../options/common.ts';
import { list, wholeNumber } from '../options/values.ts';
import type { Answer } from '../output/answer.ts';
import type { Run, Session } from '../session.ts';

interface DepsOptions extends CommonOptions {
  readonly reverse?: true;
  readonly depth: number;
  readonly via?: readonly string[];
  readonly type?: readonly string[];
  readonly limit: number;
  readonly guesses?: true;
}

/** `woods deps <name>`: what a unit uses, or what uses it, breadth first. */
export function depsCommand(woods: Command, run: Run): void {
  const command = woods
    .command('deps <name>')
    .summary('list what a unit uses, or with --reverse what uses it')
    .description(
      'Lists what a unit uses, the nearest first, with how and where; with --reverse what uses it. The name is as for `woods lookup`.',
    )
    .option('--reverse', 'what uses it')
    .option('--depth <steps>', 'how far to go', wholeNumber({ min: 1, max: 1_000 }), 1)
    .option(
      '--via <kinds>',
      'only along these kinds of edges (call, import, extends …), joined by commas; repeatable',
      list,
    )
    .option('--type <types>', 'list only units of these types, joined by commas; repeatable', list)
    .option('--limit <number>', 'units listed', wholeNumber({ min: 1, max: 100_000 }), 200)
    .option('--guesses', 'also along edges that only a unique name speaks for');
  withCommon(command, [
    ['What it uses', 'woods deps harvest'],
    ['What uses it, directly and through others', 'woods deps ripeness --reverse --depth 3'],
    ['Only calls, for a program', 'woods deps harvest --via call,new --json'],
  ]).action((name: string, options: DepsOptions) => run(options, (session) => deps(session, name, options)));
}

async function deps(session: Session, name: string, options: DepsOptions): Promise<Answer> {
  const { answerFromIndex } = await import('../reading/answer-from-index.ts');
  const { depsAnswer } = await import('../reading/deps-answer.ts');
  const { reverse, depth, via, type, limit, guesses } = options;
  return answerFromIndex(session, options, (queries) =>
    depsAnswer(queries, name, {
      direction: reverse === true ? 'dependents' : 'dependencies',
      depth,
      via,
      types: type,
      limit,
      guesses: guesses === true ? 'include' : 'leave_out',
    }),
  );
}
