import { type Command, Option } from 'commander';
import { type CommonOptions, withCommon } from '../options/common.ts';
import { seconds, wholeNumber } from '../options/values.ts';
import type { Run, Session } from '../session.ts';

const BACKENDS = ['auto', 'inotify', 'fsevents', 'polling'] as const;

interface WatchOptions extends CommonOptions {
  readonly backend?: (typeof BACKENDS)[number];
  readonly interval?: number;
  readonly once?: true;
  readonly maxSeconds?: number;
  readonly idleTimeout?: number;
  readonly maxFiles?: number;
}

/** `woods watch`: the worker itself, in the foreground; `woods-watch` is the supervisor that keeps it up. */
export function watchCommand(woods: Command, run: Run): void {
  const command = woods
    .command('watch')
    .alias('guard')
    .summary('keep the index current, unsupervised (woods-watch keeps this running)')
    .description(
      'Keeps the index of the tree current until it is stopped. Ends with 75 when a file changed that it reads only once, such as package.json: `woods-watch` then starts it again, and is what to run by hand. With --json it prints how it ended.',
    )
    .addOption(new Option('--backend <name>', 'how changes are seen (default: auto)').choices(BACKENDS))
    .option('--interval <seconds>', 'time between two looks of the polling backend (default: 1)', seconds)
    .option('--once', 'one look at the whole tree, publish what differs, and end')
    .option('--max-seconds <seconds>', 'end after this time', seconds)
    .option('--idle-timeout <seconds>', 'end after this time without a change', seconds)
    .option(
      '--max-files <number>',
      'verify the whole tree when more files than this change at once (default: 50)',
      wholeNumber({ min: 1, max: 1_000_000 }),
    );
  withCommon(command, [
    ['Bring the index up to date and end', 'woods watch --once'],
    ['Watch by polling for two seconds', 'woods watch --backend polling --interval 0.5 --max-seconds 2'],
  ]).action((options: WatchOptions) => run(options, (session) => watch(session, options)));
}

async function watch(session: Session, options: WatchOptions): Promise<number> {
  const { runWorker } = await import('@woods/worker');
  const { json, ...asked } = options;
  const exitCode = await runWorker(asked);
  if (json === true) {
    const { lastWords } = await import('../watching/last-words.ts');
    session.terminal.data(lastWords(session, options, exitCode));
  }
  return exitCode;
}
