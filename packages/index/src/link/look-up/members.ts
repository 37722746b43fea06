import type { Resolution } from '../../model.ts';
import type { Table } from '../../record/file-record.ts';
import { type Definition, definitionAt } from '../link-file.ts';
import { type LinkRun, noteRead } from '../run.ts';
import { dereference, exportOf } from './exports.ts';
import { type Referent, type Value, weaker } from './referent.ts';

/** Finds the superclass of a class; injected, since it needs expressions, which need members. */
export type SuperclassOf = (definition: Definition) => { definition: Definition; by: Resolution } | null;

/** What a member of the value is called; null when the value has none of that name. */
export function memberOf(run: LinkRun, value: Value, name: string, superclassOf: SuperclassOf): Referent | null {
  if (value.kind === 'module') return exportOf(run, value.file, name, value.by);
  const seen = new Set<Definition>();
  let at: { definition: Definition; by: Resolution } | null = value;
  while (at !== null && !seen.has(at.definition)) {
    seen.add(at.definition);
    noteRead(run, at.definition.file);
    const own = ownMember(at.definition, value.kind, name);
    if (own !== null) return dereference(run, own, at.by);
    const above: { definition: Definition; by: Resolution } | null = superclassOf(at.definition);
    at = above === null ? null : { definition: above.definition, by: weaker(at.by, above.by) };
  }
  return null;
}

/** In the declaration itself, then in what is merged with it: an interface beside a class, a namespace beside a function. */
function ownMember(definition: Definition, side: 'static' | 'instance', name: string): Definition | null {
  const { file, declaration } = definition;
  for (const candidate of [declaration, ...(declaration.also ?? []).map((other) => file.record.declarations[other])]) {
    const row = candidate === undefined ? undefined : tableOf(candidate, side).find(([member]) => member === name);
    if (row !== undefined) return definitionAt(file, row[1]);
  }
  return null;
}

function tableOf(declaration: Definition['declaration'], side: 'static' | 'instance'): Table {
  switch (declaration.kind) {
    case 'class':
      return side === 'static' ? declaration.statics : declaration.members;
    case 'interface':
    case 'object':
      return side === 'instance' ? declaration.members : [];
    case 'namespace':
      return side === 'static' ? declaration.members : [];
    default:
      return [];
  }
}
