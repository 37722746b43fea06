import type { Draft, Members, Scope } from '../draft/draft.ts';
import type { Declaration, Expression, Table } from '../file-record.ts';
import { reduceExpression } from './expressions.ts';
import { type Content, numberOf, type Reduction } from './reduction.ts';

/** So many further declarations under one name are remembered; more only occur in generated files. */
const MAX_NAMESAKES = 16;

/** Turns what was reached so far into plain data, which may reach more: goes on until nothing new is reached. */
export function reduceReached(reduction: Reduction, contents: Content[]): void {
  for (let number = contents.length; number < reduction.reached.length; number++) {
    const draft = reduction.reached[number];
    if (draft === undefined) return;
    contents.push(contentOf(reduction, draft));
    for (const namesake of namesakesOf(draft)) numberOf(reduction, namesake);
  }
}

/** The declaration as it stands in the record, once units have their numbers. */
export function finishDeclaration(draft: Draft, content: Content): Declaration {
  const also = namesakesOf(draft).map((namesake) => namesake.number);
  return {
    ...content,
    ...(draft.unit !== null && draft.unit.number >= 0 && { unit: draft.unit.number }),
    ...(also.length > 0 && { also }),
  };
}

/** Variables declared twice are not the same thing; a class and its interface are. */
function namesakesOf(draft: Draft): readonly Draft[] {
  if (draft.group.length < 2 || !isMergeable(draft)) return [];
  return draft.group.filter((other) => other !== draft && isMergeable(other)).slice(0, MAX_NAMESAKES);
}

function isMergeable({ content: { kind } }: Draft): boolean {
  return kind !== 'opaque' && kind !== 'type_parameter' && kind !== 'import';
}

function contentOf(reduction: Reduction, { content }: Draft): Content {
  switch (content.kind) {
    case 'import':
      return { kind: 'import', specifier: content.specifier, name: content.name };
    case 'variable':
    case 'property': {
      const value = content.value === null ? null : reduceExpression(reduction, content.value, content.scope);
      return value === null ? { kind: content.kind } : { kind: content.kind, value };
    }
    case 'class': {
      const heritage = content.heritage === null ? null : reduceExpression(reduction, content.heritage, content.scope);
      const members = tableOf(reduction, content.members);
      const statics = tableOf(reduction, content.statics);
      return { kind: 'class', ...(heritage !== null && { heritage }), members, statics };
    }
    case 'interface': {
      const bases = content.extends
        .map((base) => reduceExpression(reduction, base, content.scope, 'type'))
        .filter((base): base is Expression => base !== null);
      const members = tableOf(reduction, content.members);
      return { kind: 'interface', ...(bases.length > 0 && { extends: bases }), members };
    }
    case 'namespace':
      return { kind: 'namespace', members: namesOf(reduction, content.scope) };
    case 'object':
      return { kind: 'object', members: tableOf(reduction, content.members) };
    case 'function':
    case 'type_alias':
    case 'enum':
    case 'method':
      return { kind: content.kind };
    case 'opaque':
    case 'type_parameter':
      throw new Error(`a declaration of kind ${content.kind} cannot be reached`);
  }
}

function tableOf(reduction: Reduction, members: Members): Table {
  return entries(reduction, members);
}

function namesOf(reduction: Reduction, scope: Scope): Table {
  const firsts = [...(scope.names ?? [])].map(([name, group]): [string, Draft | undefined] => [name, group[0]]);
  return entries(reduction, firsts);
}

function entries(reduction: Reduction, named: Iterable<readonly [string, Draft | undefined]>): Table {
  const table: [string, number][] = [];
  for (const [name, draft] of named) {
    const number = draft === undefined ? null : numberOf(reduction, draft);
    if (number !== null) table.push([name, number]);
  }
  return table;
}
