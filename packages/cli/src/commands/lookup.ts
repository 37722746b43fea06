import type { Command } from 'commander';
import { type CommonOptions, withCommon } from '../options/common.ts';
import type { Answer } from '../output/answer.ts';
import type { Run, Session } from '../session.ts';

interface LookupOptions extends CommonOptions {
  readonly source: boolean;
}

/** `woods lookup <name>`: one unit with its source and its edges; never a guess between several. */
export function lookupCommand(woods: Command, run: Run): void {
  const command = woods
    .command('lookup <name>')
    .summary('show one unit: where it is, its source, what it uses and what uses it')
    .description(
      'Shows one unit. The name is an identifier (src/tree.ts#Tree), the end of one from a / on, a qualified name (Tree.ripen) or a short name (ripen). When several units have it, all are listed and the exit code is 1: none is picked.',
    )
    .option('--no-source', 'leave the source out');
  withCommon(command, [
    ['By its short name', 'woods lookup ripeness'],
    ['By its identifier, which is unique', "woods lookup 'src/tree.ts#Tree'"],
    ['Without the source, for a program', 'woods lookup Tree --no-source --json'],
  ]).action((name: string, options: LookupOptions) => run(options, (session) => lookUp(session, name, options)));
}

async function lookUp(session: Session, name: string, options: LookupOptions): Promise<Answer> {
  const { answerFromIndex } = await import('../reading/answer-from-index.ts');
  const { lookupAnswer } = await import('../reading/lookup-answer.ts');
  const source = options.source ? 'show' : 'leave_out';
  return answerFromIndex(session, options, (queries) => lookupAnswer(queries, name, { source }));
}
