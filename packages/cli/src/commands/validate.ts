import type { Command } from 'commander';
import { type CommonOptions, withCommon } from '../options/common.ts';
import type { Answer } from '../output/answer.ts';
import type { Run, Session } from '../session.ts';

/** `woods validate`: is the published generation whole? */
export function validateCommand(woods: Command, run: Run): void {
  const command = woods
    .command('validate')
    .summary('check that the published generation is whole (exit code 1: it is not)')
    .description(
      'Checks the published generation: pointer, checksums, both ends of every edge, spans, counts. Repairs nothing; prints one line a finding and ends with 1 when there is any.',
    );
  withCommon(command, [
    ['Check', 'woods validate'],
    ['Findings for a program', 'woods validate --json'],
  ]).action((options: CommonOptions) => run(options, (session) => validate(session, options)));
}

async function validate(session: Session, options: CommonOptions): Promise<Answer> {
  const { validateIndex } = await import('@woods/index');
  const { findPlace } = await import('../place/place.ts');
  const { refuseOddIndexDirectory } = await import('../place/index-directory.ts');
  const { validationAnswer } = await import('../reading/validation-answer.ts');
  const { indexDir } = findPlace(session, options);
  refuseOddIndexDirectory(indexDir);
  return validationAnswer(validateIndex(indexDir), indexDir);
}
