import type { Resolution } from '../../model.ts';
import { type Declaration, type Expression, NAMESPACE } from '../../record/file-record.ts';
import { type Definition, definitionAt, type LinkFile } from '../link-file.ts';
import { type LinkRun, noteRead, question, remember } from '../run.ts';
import { dereference, exportOf } from './exports.ts';
import { memberOf } from './members.ts';
import { type Referent, type Value, weaker } from './referent.ts';

/** A name can stand for a value and a type at once. */
export type Meaning = 'value' | 'type';

type Superclass = { readonly definition: Definition; readonly by: Resolution };

const VALUE_OF = question<Value>('what the value of a variable is');
const SUPERCLASS_OF = question<Superclass>('the superclass of a class');

/** The declaration or module that an expression of a file names; null when that is not known for certain. */
export function referentOf(run: LinkRun, file: LinkFile, expression: Expression): Referent | null {
  if (typeof expression === 'number') {
    const definition = definitionAt(file, expression);
    return definition === null ? null : dereference(run, definition, 'scope');
  }
  switch (expression[0]) {
    case '.': {
      const object = evaluate(run, file, expression[1]);
      return object === null ? null : memberOf(run, object, expression[2], (found) => superclassOf(run, found));
    }
    case 'module': {
      const target = run.targetOf(file, expression[1]);
      return target === null ? null : exportOf(run, target, NAMESPACE, 'import');
    }
    default:
      return null;
  }
}

/** What members of the expression are looked up in. */
function evaluate(run: LinkRun, file: LinkFile, expression: Expression): Value | null {
  if (typeof expression === 'number' || expression[0] === '.' || expression[0] === 'module') {
    const referent = referentOf(run, file, expression);
    return referent === null ? null : valueOfReferent(run, referent);
  }
  switch (expression[0]) {
    case 'this':
      return instanceOf(definitionAt(file, expression[1]), 'declared');
    case 'super':
    case 'super static': {
      const own = definitionAt(file, expression[1]);
      const above = own === null ? null : superclassOf(run, own);
      if (above === null) return null;
      const by = weaker('declared', above.by);
      return { kind: expression[0] === 'super' ? 'instance' : 'static', definition: above.definition, by };
    }
    case 'new': {
      const made = evaluate(run, file, expression[1]);
      const isClass = made?.kind === 'static' && made.definition.declaration.kind === 'class';
      return isClass ? instanceOf(made.definition, weaker('declared', made.by)) : null;
    }
  }
}

function instanceOf(definition: Definition | null, by: Resolution): Value | null {
  return definition === null ? null : { kind: 'instance', definition, by };
}

function valueOfReferent(run: LinkRun, referent: Referent): Value | null {
  if (referent.kind === 'module') return referent;
  const { definition, by } = referent;
  const { kind } = definition.declaration;
  if (kind === 'object') return { kind: 'instance', definition, by };
  if (kind !== 'variable' && kind !== 'property') return { kind: 'static', definition, by };
  const value = valueOfVariable(run, definition);
  return value === null ? null : { ...value, by: weaker(by, valueStep(value)) };
}

/** An object literal under its own name is not inferred; an instance that a variable was given is. */
function valueStep(value: Value): Resolution {
  const isLiteral = value.kind === 'instance' && value.definition.declaration.kind === 'object';
  return isLiteral ? 'scope' : weaker('inferred', value.by);
}

function valueOfVariable(run: LinkRun, definition: Definition): Value | null {
  const { file, declaration } = definition;
  if (declaration.kind !== 'variable' && declaration.kind !== 'property') return null;
  const { value } = declaration;
  if (value === undefined) return null;
  return remember(run, VALUE_OF, definition, () => {
    noteRead(run, file);
    return evaluate(run, file, value);
  });
}

/** The class that a class extends, where that is a class of the tree. */
function superclassOf(run: LinkRun, definition: Definition): Superclass | null {
  const { file, declaration } = definition;
  if (declaration.kind !== 'class' || declaration.heritage === undefined) return null;
  const { heritage } = declaration;
  return remember(run, SUPERCLASS_OF, definition, () => {
    noteRead(run, file);
    const value = evaluate(run, file, heritage);
    if (value?.kind !== 'static' || value.definition.declaration.kind !== 'class') return null;
    return { definition: value.definition, by: value.by };
  });
}

/** The declaration under the same name that has the wanted meaning. */
export function withMeaning(definition: Definition, meaning: Meaning): Definition | null {
  if (means(definition.declaration, meaning)) return definition;
  for (const other of definition.declaration.also ?? []) {
    const candidate = definitionAt(definition.file, other);
    if (candidate !== null && means(candidate.declaration, meaning)) return candidate;
  }
  return null;
}

function means({ kind }: Declaration, meaning: Meaning): boolean {
  switch (kind) {
    case 'interface':
    case 'type_alias':
      return meaning === 'type';
    case 'class':
    case 'enum':
    case 'namespace':
    case 'import':
      return true;
    default:
      return meaning === 'value';
  }
}
