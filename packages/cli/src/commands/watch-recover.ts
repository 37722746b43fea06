import { type Command, InvalidArgumentError } from 'commander';
import { Failure } from '../errors/failure.ts';
import { type CommonOptions, withCommon } from '../options/common.ts';
import type { Answer } from '../output/answer.ts';
import { onOneLine } from '../output/words.ts';
import type { Run, Session } from '../session.ts';

interface RecoverOptions extends CommonOptions {
  readonly token: string;
}

/** `woods watch-recover`: removes a claim whose owner is gone where nothing proves it. */
export function watchRecoverCommand(woods: Command, run: Run): void {
  const command = woods
    .command('watch-recover')
    .summary('give an index free whose worker is gone where nothing proves it')
    .description(
      'Removes the claim of a worker that is gone where nothing proves it: it ran on another host, or the index was copied. Takes the token that the refused worker named, so that no other claim can be meant. Refuses while the lease is held: whoever holds it lives.',
    )
    .requiredOption('--token <token>', 'the 64 hex digits that the refused worker named', tokenOf);
  const call = `woods watch-recover --token ${'0123456789abcdef'.repeat(4)}`;
  withCommon(command, [
    ['Do what the refused worker said', call],
    ['For a program', `${call} --json`],
  ]).action((options: RecoverOptions) => run(options, (session) => recover(session, options)));
}

function tokenOf(value: string): string {
  if (/^[0-9a-f]{64}$/.test(value)) return value;
  throw new InvalidArgumentError('Expected the 64 hex digits that the refused worker named.');
}

async function recover(session: Session, options: RecoverOptions): Promise<Answer> {
  const { findPlace } = await import('../place/place.ts');
  const { refuseOddIndexDirectory } = await import('../place/index-directory.ts');
  const { indexDir } = findPlace(session, options);
  if (refuseOddIndexDirectory(indexDir) === 'missing') return nothing(indexDir);
  const { recoverClaim } = await import('@woods/worker');
  const recovery = await recoverClaim(indexDir, options.token);
  if (recovery.kind === 'nothing') return nothing(indexDir);
  if (recovery.kind === 'refused') {
    throw new Failure('locked', `the claim in ${onOneLine(indexDir)} stays: ${recovery.why}`, {
      hint: 'start the worker again: it names the claim that stands in its way',
    });
  }
  return {
    exitCode: 0,
    json: { recovered: true, owner: recovery.owner, index: indexDir },
    text: [`removed the claim of ${recovery.owner}; a worker can start now`],
    words: [],
  };
}

function nothing(indexDir: string): Answer {
  const text = [`no worker has claimed the index in ${onOneLine(indexDir)}`];
  return { exitCode: 0, json: { recovered: false, owner: null, index: indexDir }, text, words: [] };
}
