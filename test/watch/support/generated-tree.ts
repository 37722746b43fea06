import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { encodePath, nativePath } from '../../../packages/watch/src/bytes/path.ts';
import { gitEnvironment } from '../../../packages/watch/src/git/run.ts';

/** A tree with ignore files, as data; all strings are one character a byte. */
export interface GeneratedTree {
  readonly files: readonly { readonly path: string; readonly kind: 'file' | 'link'; readonly tracked: boolean }[];
  /** Directory ('' is the top) to the text of its .gitignore. */
  readonly ignoreFiles: readonly { readonly directory: string; readonly text: string }[];
  readonly infoExclude: string;
  readonly personal: string;
}

const NAMES = [
  ...['a', 'b', 'ab', 'abc', 'a.b', 'foo', 'foo_bar', 'bar', 'UP', 'up', '.dot', 'x y', 'trail ', '#hash', '!bang'],
  ...[
    '[z]',
    'z',
    'st*r',
    'star',
    'q?',
    'back\\slash',
    'new\nline',
    'tab\there',
    '"quoted"',
    'a{b,c}',
    'a+b',
    'a$',
    '(a)',
  ],
  ...['..x', '-dash', encodePath('café'), encodePath('cafe\u0301'), 'caf\xe9', '\xff'],
];

const name = fc.constantFrom(...NAMES);
const directory = fc.array(name, { maxLength: 3 }).map((names) => names.join('/'));

const segment = fc.oneof(
  { weight: 6, arbitrary: name.map((text) => text.replace(/\n/g, '?')) },
  { weight: 2, arbitrary: name.map((text) => text.replace(/[\\*?[ #!\n]/g, '\\$&').replace(/\n/g, '?')) },
  {
    weight: 6,
    arbitrary: fc.constantFrom('*', '**', '?', '??', 'a*', '*b', '*.b', 'f?o', '[a-c]', '[!a]', '[^a]*', '[z]'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('[]z]', '[[:alpha:]]', '[[:upper:]]*', '\\*', 'a\\b', '[a', '***', 'a**', '**b', '.*'),
  },
);

const pattern = fc
  .record({
    negative: fc.constantFrom('', '', '!'),
    lead: fc.constantFrom('', '', '', '/', '**/'),
    segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
    tail: fc.constantFrom('', '', '', '/', '/*', '/**', ' ', '\\ ', '/ '),
  })
  .map(({ negative, lead, segments, tail }) => `${negative}${lead}${segments.join('/')}${tail}`);

const line = fc.oneof(
  { weight: 12, arbitrary: pattern },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '# comment', '!', '/', '//', '!/', '*', '!*', '*/', '!*/', '\\', 'a\\', '   '),
  },
);

const rules = fc
  .tuple(
    fc.constantFrom('', '', '', '\xef\xbb\xbf'),
    fc.array(line, { maxLength: 6 }),
    fc.constantFrom('\n', '\n', '\r\n'),
  )
  .map(([mark, lines, end]) => mark + lines.map((text) => text + end).join(''));

export const generatedTree: fc.Arbitrary<GeneratedTree> = fc
  .record({
    files: fc.array(
      fc.record({
        path: fc.tuple(directory, name).map(([above, last]) => (above === '' ? last : `${above}/${last}`)),
        kind: fc.constantFrom('file' as const, 'file' as const, 'file' as const, 'link' as const),
        tracked: fc.nat(4).map((n) => n === 0),
      }),
      { minLength: 10, maxLength: 60 },
    ),
    ignoreIn: fc.array(fc.record({ at: fc.nat(), text: rules }), { maxLength: 5 }),
    top: rules,
    infoExclude: rules,
    personal: rules,
  })
  .map(({ files, ignoreIn, top, infoExclude, personal }) => {
    const free = withoutConflicts(files);
    const below = ignoreIn.map(({ at, text }) => ({
      directory: directoryOf(free[at % free.length]?.path ?? ''),
      text,
    }));
    const ignoreFiles = new Map([{ directory: '', text: top }, ...below].map((file) => [file.directory, file]));
    return { files: free, ignoreFiles: [...ignoreFiles.values()], infoExclude, personal };
  });

/** Writes the tree into `root`, a new repository, with `home` as the home of its user. */
export function writeTree(
  { files, ignoreFiles, infoExclude, personal }: GeneratedTree,
  root: string,
  home: string,
): void {
  const at = (path: string): Buffer => nativePath(`${encodePath(root)}/${path}`);
  for (const { path, kind } of files) {
    mkdirSync(at(directoryOf(path)), { recursive: true });
    if (kind === 'link') symlinkSync('/nowhere', at(path));
    else writeFileSync(at(path), '');
  }
  for (const { directory: above, text } of ignoreFiles) {
    writeFileSync(at(above === '' ? '.gitignore' : `${above}/.gitignore`), text, 'latin1');
  }
  writeFileSync(at('.git/info/exclude'), infoExclude, 'latin1');
  mkdirSync(`${home}/.config/git`, { recursive: true });
  writeFileSync(`${home}/.config/git/ignore`, personal, 'latin1');
  const tracked = files.filter((file) => file.tracked).map(({ path }) => `${path}\0`);
  execFileSync('git', ['-C', root, 'update-index', '--add', '-z', '--stdin'], {
    input: Buffer.from(tracked.join(''), 'latin1'),
    env: gitEnvironment(process.env),
  });
}

export function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Drops files that would have to be a directory as well. */
function withoutConflicts<File extends { readonly path: string }>(files: readonly File[]): File[] {
  const directories = new Set<string>();
  for (const { path } of files) {
    for (let above = directoryOf(path); above !== ''; above = directoryOf(above)) directories.add(above);
  }
  const byPath = new Map(files.map((file) => [file.path, file]));
  return [...byPath.values()].filter(({ path }) => !directories.has(path));
}
