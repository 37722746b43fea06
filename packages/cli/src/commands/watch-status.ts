import type { Command } from 'commander';
import { type CommonOptions, withCommon } from '../options/common.ts';
import type { Answer } from '../output/answer.ts';
import type { Run, Session } from '../session.ts';

/** `woods watch-status`: is a worker alive for this tree? Reads files and /proc; starts nothing. */
export function watchStatusCommand(woods: Command, run: Run): void {
  const command = woods
    .command('watch-status')
    .summary('say whether a worker keeps the index of this tree (exit code 0: alive, 1: not)')
    .description(
      'Says whether a worker keeps the index of this tree, and what its supervisor does. Exit code 0: alive, running or degraded; 1: not alive. Starts nothing.',
    );
  withCommon(command, [
    ['Is it alive', 'woods watch-status'],
    ['In a script', 'woods watch-status > /dev/null || echo "nobody watches"'],
    ['For a program', 'woods watch-status --json'],
  ]).action((options: CommonOptions) => run(options, (session) => watchStatus(session, options)));
}

async function watchStatus(session: Session, options: CommonOptions): Promise<Answer> {
  const { readSupervisors } = await import('@woods/protocol');
  const { findPlace } = await import('../place/place.ts');
  const { livenessView, lookAtWatch } = await import('../watching/look.ts');
  const { statusAnswer } = await import('../watching/status-answer.ts');
  const { root, indexDir } = findPlace(session, options);
  const view = livenessView();
  const supervision = readSupervisors(indexDir, view);
  return statusAnswer({ root, indexDir, watch: lookAtWatch(indexDir, session), supervision, now: view.now });
}
