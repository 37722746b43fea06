import type { Command } from 'commander';
import { type CommonOptions, withCommon } from '../options/common.ts';
import type { Answer } from '../output/answer.ts';
import type { Run, Session } from '../session.ts';

/** `woods watch-status`, or `woods status`: is a worker alive for this tree? Reads files and /proc; starts nothing. */
export function watchStatusCommand(woods: Command, run: Run): void {
  const command = woods
    .command('watch-status')
    .alias('status')
    .summary('say whether a worker keeps the index of this tree (exit code 0: alive, 1: not)')
    .description(
      'Says whether a worker keeps the index of this tree, what is published, and what each supervisor of it does: state, reason, attempt, child, next start. Exit code 0: a worker is alive, running or degraded; 1: none is. Starts nothing.',
    );
  withCommon(command, [
    ['Is it alive', 'woods watch-status'],
    ['In a script', 'woods watch-status > /dev/null || echo "nobody watches"'],
    ['The same under a shorter name', 'woods status'],
    ['For a program', 'woods status --json'],
  ]).action((options: CommonOptions) => run(options, (session) => watchStatus(session, options)));
}

async function watchStatus(session: Session, options: CommonOptions): Promise<Answer> {
  const { readPointer, readSupervisors } = await import('@woods/protocol');
  const { lookAtIndexDirectory, ODD_DIRECTORY_HINT } = await import('../place/index-directory.ts');
  const { findPlace } = await import('../place/place.ts');
  const { livenessView, lookAtWatch } = await import('../watching/look.ts');
  const { statusAnswer } = await import('../watching/status-answer.ts');
  const { root, indexDir } = findPlace(session, options);
  const view = livenessView();
  const pointer = readPointer(indexDir);
  const place = lookAtIndexDirectory(indexDir);
  const supervision =
    place.kind === 'odd'
      ? { records: [], truncated: false, problems: [`${place.fault}; ${ODD_DIRECTORY_HINT}`] }
      : readSupervisors(indexDir, view);
  return statusAnswer({ root, indexDir, watch: lookAtWatch(indexDir, session), pointer, supervision, now: view.now });
}
