import type { Draft, DraftUnit, Scope } from './draft.ts';

/** A name can stand for a value and for a type at once; a look-up asks for one of them. */
export type Meaning = 'value' | 'type';

export type Overrides = Partial<Pick<Scope, 'unit' | 'qualifier' | 'self'>>;

/** A scope inside `parent`; a `function` scope is where its `var`s go. */
export function openScope(parent: Scope, kind: 'block' | 'function', overrides: Overrides = {}): Scope {
  return {
    parent,
    hoist: kind === 'function' ? null : (parent.hoist ?? parent),
    unit: overrides.unit ?? parent.unit,
    qualifier: overrides.qualifier ?? parent.qualifier,
    self: overrides.self === undefined ? parent.self : overrides.self,
    names: null,
  };
}

/** The scope of a whole file. */
export function fileScope(unit: DraftUnit): Scope {
  return { parent: null, hoist: null, unit, qualifier: '', self: null, names: null };
}

export function declare(scope: Scope, name: string, draft: Draft): void {
  scope.names ??= new Map();
  const group = scope.names.get(name);
  if (group === undefined) {
    scope.names.set(name, draft.group);
  } else {
    group.push(draft);
    draft.group = group;
  }
}

/** The nearest declaration of the name with that meaning; null when the file has none. */
export function lookUp(scope: Scope, name: string, meaning: Meaning): Draft | null {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const draft = at.names?.get(name)?.find((candidate) => means(candidate, meaning));
    if (draft !== undefined) return draft;
  }
  return null;
}

function means(draft: Draft, meaning: Meaning): boolean {
  switch (draft.content.kind) {
    case 'interface':
    case 'type_alias':
    case 'type_parameter':
      return meaning === 'type';
    case 'function':
    case 'variable':
    case 'object':
    case 'method':
    case 'property':
    case 'opaque':
      return meaning === 'value';
    case 'class':
    case 'enum':
    case 'namespace':
    case 'import':
      return true;
  }
}
