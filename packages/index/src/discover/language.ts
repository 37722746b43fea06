import { UsageError } from '@woods/protocol';
import type { Language } from '../record/file-record.ts';

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map([
  ['.ts', 'typescript'],
  ['.mts', 'typescript'],
  ['.cts', 'typescript'],
  ['.tsx', 'tsx'],
  ['.js', 'javascript'],
  ['.mjs', 'javascript'],
  ['.cjs', 'javascript'],
  ['.jsx', 'jsx'],
]);

/** What `languages` of the configuration may name, and what each of the names turns on. */
const FAMILIES: ReadonlyMap<string, readonly Language[]> = new Map([
  ['typescript', ['typescript', 'tsx']],
  ['javascript', ['javascript', 'jsx']],
  ['package', ['package']],
]);

/** The language of a file by its name; null when nothing here reads it. */
export type LanguageOf = (path: string) => Language | null;

/**
 * Which files are read as what. `languages` is the configured list; null turns all on.
 * Throws UsageError for a language that there is not.
 */
export function languagesFor(languages: readonly string[] | null): LanguageOf {
  const on = new Set((languages ?? [...FAMILIES.keys()]).flatMap(familyNamed));
  return (path) => {
    const language = languageOf(path);
    return language !== null && on.has(language) ? language : null;
  };
}

function familyNamed(name: string): readonly Language[] {
  const family = FAMILIES.get(name);
  if (family !== undefined) return family;
  const known = [...FAMILIES.keys()].join(', ');
  throw new UsageError(
    `woods.json: "languages" holds ${JSON.stringify(name)}, which is none; expected some of ${known}`,
  );
}

function languageOf(path: string): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === 'package.json') return 'package';
  return BY_EXTENSION.get(name.slice(name.lastIndexOf('.'))) ?? null;
}
