import { type Command, Option } from 'commander';
import { type CommonOptions, withCommon } from '../options/common.ts';
import { list, wholeNumber } from '../options/values.ts';
import type { Answer } from '../output/answer.ts';
import type { Run, Session } from '../session.ts';

const MATCHES = ['any', 'exact', 'prefix', 'suffix', 'substring', 'regex'] as const;

interface SearchCommandOptions extends CommonOptions {
  readonly match: (typeof MATCHES)[number];
  readonly source?: true;
  readonly type?: readonly string[];
  readonly path?: readonly string[];
  readonly caseSensitive?: true;
  readonly limit: number;
}

/** `woods search <pattern>`: units by a pattern over names, identifiers, paths and, when asked, source. */
export function searchCommand(woods: Command, run: Run): void {
  const command = woods
    .command('search <pattern>')
    .summary('find units by a pattern over names and paths, with --source also over the text')
    .description(
      'Finds units whose name, qualified name or path has the pattern in it, the best matches first; with --source also lines of the source. Exit code 1 when nothing matches.',
    )
    .addOption(new Option('--match <how>', 'how the pattern matches').choices(MATCHES).default('any'))
    .option('--source', 'also the text of the files, one hit a line')
    .option('--type <types>', 'only units of these types, joined by commas; repeatable', list)
    .option('--path <paths>', 'only below these files or directories, from the root; repeatable', list)
    .option('--case-sensitive', 'tell upper from lower case')
    .option('--limit <number>', 'hits listed', wholeNumber({ min: 1, max: 1_000 }), 50);
  withCommon(command, [
    ['By a part of the name', 'woods search ripe'],
    [
      'Functions below src, by a regular expression',
      "woods search '^(ripe|harv)' --match regex --type function --path src",
    ],
    ['Lines of source, for a program', "woods search 'Math.min' --source --json"],
  ]).action((pattern: string, options: SearchCommandOptions) =>
    run(options, (session) => search(session, pattern, options)),
  );
}

async function search(session: Session, pattern: string, options: SearchCommandOptions): Promise<Answer> {
  const { answerFromIndex } = await import('../reading/answer-from-index.ts');
  const { searchAnswer } = await import('../reading/search-answer.ts');
  const { match, source, type, path, caseSensitive, limit } = options;
  return answerFromIndex(session, options, (queries) =>
    searchAnswer(queries, {
      pattern,
      match,
      limit,
      letterCase: caseSensitive === true ? 'respect' : 'ignore',
      fields: ['name', 'identifier', 'path', ...(source === true ? (['source'] as const) : [])],
      ...(type === undefined ? {} : { types: type }),
      ...(path === undefined ? {} : { paths: path }),
    }),
  );
}
