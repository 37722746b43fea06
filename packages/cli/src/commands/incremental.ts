import type { Command } from 'commander';
import { type CommonOptions, withCommon } from '../options/common.ts';
import type { Answer } from '../output/answer.ts';
import type { Run, Session } from '../session.ts';

/** `woods incremental [paths…]`: brings the index up to date, unless a live worker does it anyway. */
export function incrementalCommand(woods: Command, run: Run): void {
  const command = woods
    .command('incremental [paths...]')
    .summary('index what changed: the paths, or all that differs from the index')
    .description(
      'Indexes what changed and publishes a generation: the named files and directories (also ones that are gone), or, without any, all that differs from the index. Stands down (exit code 0) while a live worker in state running covers the tree; WOODS_IGNORE_WATCH=1 runs anyway.',
    );
  withCommon(command, [
    ['All that differs from the index', 'woods incremental'],
    ['One file and one directory', 'woods incremental src/tree.ts src'],
    ['Though a worker is alive', 'WOODS_IGNORE_WATCH=1 woods incremental'],
  ]).action((paths: string[], options: CommonOptions) =>
    run(options, (session) => incremental(session, paths, options)),
  );
}

async function incremental(session: Session, typed: readonly string[], options: CommonOptions): Promise<Answer> {
  const { findPlace } = await import('../place/place.ts');
  const { treePaths } = await import('../writing/tree-paths.ts');
  const { lookAtWatch } = await import('../watching/look.ts');
  const { coveredBy, standDownAnswer } = await import('../writing/stand-down.ts');
  const place = findPlace(session, options);
  const paths = treePaths(typed, { root: place.root, cwd: session.cwd });
  const worker = coveredBy(lookAtWatch(place.indexDir, session), session.env);
  if (worker !== null) return standDownAnswer(worker, place);
  const { runUnderLock } = await import('../writing/run.ts');
  const reason = 'incremental';
  return runUnderLock(session, place, {
    name: 'woods incremental',
    run: (indexer, watched) =>
      paths.size === 0 ? indexer.reconcile({ reason, ...watched }) : indexer.update({ paths, reason, ...watched }),
  });
}
