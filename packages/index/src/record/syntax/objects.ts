import type ts from 'typescript';
import type { Draft, DraftUnit, FileDraft, Members, Scope, Self } from '../draft/draft.ts';
import { newDraft } from '../draft/draft.ts';
import { bare, isFunctionValue, memberName } from '../draft/names.ts';
import { openScope } from '../draft/scope.ts';
import { addUnit, modifierFacts } from '../draft/unit.ts';
import { compiler } from '../source/compiler.ts';
import { visitFunction } from './functions.ts';
import { addMethodUnit, type OpenUnits } from './methods.ts';

interface Owner {
  readonly unit: DraftUnit;
  /** Whether `this` in its methods is the literal itself, or what some type says. */
  readonly self: 'literal' | 'unknown';
}

interface ObjectWalk {
  readonly owner: Owner;
  readonly scope: Scope;
  readonly self: Self | null;
  readonly members: Members;
  readonly open: OpenUnits;
}

/** An object literal that is the value of a name: its functions are units under that name. */
export function visitOwnObject(file: FileDraft, node: ts.ObjectLiteralExpression, outer: Scope, owner: Owner): void {
  const members: Members = new Map();
  const draft: Draft = newDraft({ kind: 'object', members });
  file.literals.set(node, draft);
  const walk: ObjectWalk = {
    owner,
    scope: openScope(outer, 'block', { unit: owner.unit, qualifier: owner.unit.qualified }),
    self: owner.self === 'literal' ? { draft, side: 'instance' } : null,
    members,
    open: new Map(),
  };
  for (const property of node.properties) visitProperty(file, property, walk);
}

function visitProperty(file: FileDraft, node: ts.ObjectLiteralElementLike, walk: ObjectWalk): void {
  if (compiler.isSpreadAssignment(node)) {
    // What is spread in may replace every member before it.
    walk.members.clear();
    file.visit(node.expression, walk.scope);
    return;
  }
  const name = memberName(node.name);
  if (node.name !== undefined && compiler.isComputedPropertyName(node.name)) {
    file.visit(node.name.expression, walk.scope);
  }
  if (compiler.isShorthandPropertyAssignment(node)) {
    if (name !== null) walk.members.set(name, newDraft({ kind: 'property', value: node.name, scope: walk.scope }));
    return;
  }
  if (compiler.isPropertyAssignment(node)) {
    visitAssignment(file, node, name, walk);
    return;
  }
  const unit = addMethodUnit(file, node, walk.scope, walk.open);
  keep(walk, unit);
  const content = compiler.isMethodDeclaration(node)
    ? ({ kind: 'method' } as const)
    : ({ kind: 'property', value: null, scope: walk.scope } as const);
  if (name !== null) walk.members.set(name, newDraft(content, unit));
  visitFunction(file, node, walk.scope, {
    self: walk.self,
    ...(unit !== null && { unit, qualifier: unit.qualified }),
  });
}

function visitAssignment(file: FileDraft, node: ts.PropertyAssignment, name: string | null, walk: ObjectWalk): void {
  const value = bare(node.initializer);
  if (name === null) {
    file.visit(node.initializer, walk.scope);
    return;
  }
  if (isFunctionValue(value)) {
    const unit = addUnit(file, walk.scope, {
      type: 'method',
      name,
      node,
      nameNode: node.name,
      bodyAt: value.body.pos,
      metadata: modifierFacts(value),
    });
    keep(walk, unit);
    walk.members.set(name, newDraft({ kind: 'method' }, unit));
    const self = compiler.isArrowFunction(value) ? walk.scope.self : walk.self;
    visitFunction(file, value, walk.scope, { unit, qualifier: unit.qualified, self });
    return;
  }
  walk.members.set(name, newDraft({ kind: 'property', value: node.initializer, scope: walk.scope }));
  if (!compiler.isObjectLiteralExpression(value)) {
    file.visit(node.initializer, walk.scope);
    return;
  }
  const unit = addUnit(file, walk.scope, {
    type: 'variable',
    name,
    node,
    nameNode: node.name,
    bodyAt: value.properties.pos,
    kept: false,
  });
  visitOwnObject(file, value, walk.scope, { unit, self: walk.owner.self });
  if (unit.kept) keep(walk, unit);
}

/** A literal with functions in it is worth a unit of its own. */
function keep(walk: ObjectWalk, member: DraftUnit | null): void {
  if (member !== null) walk.owner.unit.kept = true;
}
