import type { Command } from 'commander';
import { type CommonOptions, withCommon } from '../options/common.ts';
import type { Answer } from '../output/answer.ts';
import type { Run, Session } from '../session.ts';

/** `woods export --canonical`: the whole index as lines. */
export function exportCommand(woods: Command, run: Run): void {
  const command = woods
    .command('export')
    .summary('print the whole index as lines that two indexes can be compared by')
    .description(
      'Prints every unit and every edge, sorted, one line of JSON each, and nothing of when and how they were indexed: the same tree gives the same bytes. With --json the lines come as one object.',
    )
    .requiredOption('--canonical', 'the form described above, the only one so far');
  withCommon(command, [
    ['Keep it, to compare another one with it', 'woods export --canonical > /tmp/before.ndjson'],
    ['How many lines', 'woods export --canonical | wc -l'],
    ['As one object', 'woods export --canonical --json'],
  ]).action((options: CommonOptions) => run(options, (session) => exportIndex(session, options)));
}

async function exportIndex(session: Session, options: CommonOptions): Promise<Answer> {
  const { answerFromIndex } = await import('../reading/answer-from-index.ts');
  const { exportAnswer } = await import('../reading/export-answer.ts');
  const format = options.json === true ? 'json' : 'text';
  return answerFromIndex(session, options, (queries) => exportAnswer(queries, format));
}
