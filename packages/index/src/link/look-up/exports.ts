import type { Resolution } from '../../model.ts';
import { EXPORT_EQUALS, NAMESPACE } from '../../record/file-record.ts';
import { type Definition, exportedDefinition, type LinkFile } from '../link-file.ts';
import { type LinkRun, noteRead, question, remember } from '../run.ts';
import type { Referent } from './referent.ts';

const DEFAULT = 'default';

type Found =
  | { readonly kind: 'declaration'; readonly definition: Definition }
  | { readonly kind: 'module'; readonly file: LinkFile };

const EXPORT_OF = question<Found>('what a file exports under a name');

/**
 * What a file exports under a name, through any number of re-exports; null when nothing, or when `export *` brings in
 * two different things under it, which the language takes for none.
 */
export function exportOf(run: LinkRun, file: LinkFile, name: string, by: Resolution): Referent | null {
  const own = exportedDefinition(file, name);
  if (own !== null && own.declaration.kind !== 'import' && name !== NAMESPACE) {
    // Most exports are the file's own. They ask nobody else, so to remember them costs more than to find them again.
    noteRead(run, file);
    return { kind: 'declaration', definition: own, by };
  }
  const found = remember(run, EXPORT_OF, `${file.path}\0${name}`, () => certain(search(run, file, name, new Set())));
  return found === null ? null : { ...found, by };
}

/** What a declaration stands for: for an import, what is imported. */
export function dereference(run: LinkRun, definition: Definition, by: Resolution): Referent | null {
  const { file, declaration } = definition;
  if (declaration.kind !== 'import') return { kind: 'declaration', definition, by };
  const target = run.targetOf(file, declaration.specifier);
  return target === null ? null : exportOf(run, target, declaration.name, by === 'scope' ? 'import' : by);
}

function certain(found: Found | 'ambiguous' | null): Found | null {
  return found === 'ambiguous' ? null : found;
}

/** `seen` holds what this search has asked already: modules may re-export each other in circles. */
function search(run: LinkRun, file: LinkFile, name: string, seen: Set<string>): Found | 'ambiguous' | null {
  noteRead(run, file, 'names');
  return name === NAMESPACE ? namespaceOf(run, file, seen) : searchName(run, file, name, seen);
}

/** Does not note the file: whoever is passed through by `export *` makes itself known to those above it. */
function searchName(run: LinkRun, file: LinkFile, name: string, seen: Set<string>): Found | 'ambiguous' | null {
  const question = `${file.path}\0${name}`;
  if (seen.has(question)) return null;
  seen.add(question);
  const own = exportedDefinition(file, name) ?? (name === DEFAULT ? exportedDefinition(file, EXPORT_EQUALS) : null);
  if (own !== null) return foundIn(run, own, seen);
  if (name === DEFAULT) return null;
  return searchStars(run, file, name, seen);
}

function searchStars(run: LinkRun, file: LinkFile, name: string, seen: Set<string>): Found | 'ambiguous' | null {
  let found: Found | null = null;
  for (const star of file.record.stars) {
    const target = run.targetOf(file, star);
    const here = target === null ? null : searchName(run, target, name, seen);
    if (here === 'ambiguous') return here;
    if (here === null) continue;
    if (found !== null && !isSame(found, here)) return 'ambiguous';
    found = here;
  }
  return found;
}

function foundIn(run: LinkRun, own: Definition, seen: Set<string>): Found | 'ambiguous' | null {
  noteRead(run, own.file);
  return own.declaration.kind === 'import' ? follow(run, own, seen) : { kind: 'declaration', definition: own };
}

function follow(run: LinkRun, { file, declaration }: Definition, seen: Set<string>): Found | 'ambiguous' | null {
  if (declaration.kind !== 'import') return null;
  const target = run.targetOf(file, declaration.specifier);
  return target === null ? null : search(run, target, declaration.name, seen);
}

/** The namespace of a module with `export =` is what that exports. */
function namespaceOf(run: LinkRun, file: LinkFile, seen: Set<string>): Found | 'ambiguous' | null {
  const own = exportedDefinition(file, EXPORT_EQUALS);
  return own === null ? { kind: 'module', file } : foundIn(run, own, seen);
}

function isSame(one: Found, other: Found): boolean {
  if (one.kind === 'module') return other.kind === 'module' && one.file === other.file;
  return other.kind === 'declaration' && one.definition === other.definition;
}
