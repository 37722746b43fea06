import type { Command } from 'commander';
import { type CommonOptions, withCommon } from '../options/common.ts';
import type { Answer } from '../output/answer.ts';
import type { Run, Session } from '../session.ts';

/** `woods extract`: one full run over the tree, published. */
export function extractCommand(woods: Command, run: Run): void {
  const command = woods
    .command('extract')
    .alias('scan')
    .summary('index the whole tree and publish a generation')
    .description(
      'Indexes the whole tree and publishes a generation. What the record cache knows is not parsed again. Waits for another writer up to WOODS_LOCK_WAIT seconds (600), then ends with 1.',
    );
  withCommon(command, [
    ['Index the tree around the current directory', 'woods extract'],
    ['Index it elsewhere than in tmp/woods', 'woods extract --output tmp/other-index'],
    ['Counts for a program', 'woods extract --json'],
  ]).action((options: CommonOptions) => run(options, (session) => extract(session, options)));
}

async function extract(session: Session, options: CommonOptions): Promise<Answer> {
  const { findPlace } = await import('../place/place.ts');
  const { runUnderLock } = await import('../writing/run.ts');
  return runUnderLock(session, findPlace(session, options), {
    name: 'woods extract',
    run: (indexer, watched) => indexer.reconcile({ reason: 'full', force: 'all', ...watched }),
  });
}
