import type { Command } from 'commander';
import { type CommonOptions, withCommon } from '../options/common.ts';
import type { Answer } from '../output/answer.ts';
import type { Run, Session } from '../session.ts';

/** `woods stats`: counts of the published generation. */
export function statsCommand(woods: Command, run: Run): void {
  const command = woods
    .command('stats')
    .summary('count what the index holds: files, units and edges by kind')
    .description('Counts what the published generation holds: files, units by type, edges by kind, bytes on disk.');
  withCommon(command, [
    ['Counts', 'woods stats'],
    ['For a program', 'woods stats --json'],
  ]).action((options: CommonOptions) => run(options, (session) => stats(session, options)));
}

async function stats(session: Session, options: CommonOptions): Promise<Answer> {
  const { answerFromIndex } = await import('../reading/answer-from-index.ts');
  const { statsAnswer } = await import('../reading/stats-answer.ts');
  return answerFromIndex(session, options, statsAnswer);
}
