import type { Command } from 'commander';
import { type CommonOptions, withCommon } from '../options/common.ts';
import type { Answer } from '../output/answer.ts';
import type { Run, Session } from '../session.ts';

/** `woods clean`: removes the index, unless something lives on it. */
export function cleanCommand(woods: Command, run: Run): void {
  const command = woods
    .command('clean')
    .summary('remove the index, unless a worker, a supervisor or a writer lives on it')
    .description(
      'Removes the index of the tree: payloads, pointer and status files. Refuses while a worker, a supervisor or a writer lives on it. Records that worktrees share, under the git directory, stay.',
    );
  withCommon(command, [
    ['Remove it', 'woods clean'],
    ['What was removed, for a program', 'woods clean --json'],
  ]).action((options: CommonOptions) => run(options, (session) => clean(session, options)));
}

async function clean(session: Session, options: CommonOptions): Promise<Answer> {
  const { findPlace } = await import('../place/place.ts');
  const { refuseOddIndexDirectory } = await import('../place/index-directory.ts');
  const { indexDir } = findPlace(session, options);
  if (refuseOddIndexDirectory(indexDir) === 'missing') return nothingToRemove(indexDir);
  const { cleanIndex } = await import('../removing/clean-index.ts');
  return cleanIndex(indexDir, session);
}

function nothingToRemove(indexDir: string): Answer {
  return {
    exitCode: 0,
    json: { removed: [], left: [], index: indexDir },
    text: [`there is no index in ${indexDir}`],
    words: [],
  };
}
