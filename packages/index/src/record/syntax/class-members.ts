import type ts from 'typescript';
import type { Draft, DraftUnit, FileDraft, Members, Scope, Self } from '../draft/draft.ts';
import { newDraft } from '../draft/draft.ts';
import { bare, isFunctionValue, memberName } from '../draft/names.ts';
import { openScope } from '../draft/scope.ts';
import { addUnit, hasModifier, modifierFacts } from '../draft/unit.ts';
import { compiler, SyntaxKind } from '../source/compiler.ts';
import { visitDecorators, visitFunction } from './functions.ts';
import { addMethodUnit, type OpenUnits } from './methods.ts';
import { visitAll, visitIfAny } from './rule.ts';

/** A class while its members are walked. `unit` is null when nothing names the class. */
export interface ClassWalk {
  readonly draft: Draft;
  readonly scope: Scope;
  readonly members: Members;
  readonly statics: Members;
  readonly unit: DraftUnit | null;
  readonly open: OpenUnits;
}

export function visitMember(file: FileDraft, member: ts.ClassElement, walk: ClassWalk): void {
  const side: Self['side'] = hasModifier(member, SyntaxKind.StaticKeyword) ? 'static' : 'instance';
  const self: Self = { draft: walk.draft, side };
  const scope = openScope(walk.scope, 'block', { self });
  visitDecorators(file, member, walk.scope);
  if (member.name !== undefined && compiler.isComputedPropertyName(member.name)) {
    file.visit(member.name.expression, walk.scope);
  }
  const table = side === 'static' ? walk.statics : walk.members;
  if (compiler.isConstructorDeclaration(member)) {
    visitMethod(file, member, scope, walk, null);
    for (const parameter of member.parameters) addParameterProperty(parameter, scope, walk.members);
  } else if (
    compiler.isMethodDeclaration(member) ||
    compiler.isGetAccessorDeclaration(member) ||
    compiler.isSetAccessorDeclaration(member)
  ) {
    visitMethod(file, member, scope, walk, table);
  } else if (compiler.isPropertyDeclaration(member)) {
    visitProperty(file, member, scope, walk, table);
  } else if (compiler.isClassStaticBlockDeclaration(member)) {
    const inside = openScope(walk.scope, 'function', { self: { draft: walk.draft, side: 'static' } });
    visitAll(file, member.body.statements, inside);
  }
}

function visitMethod(
  file: FileDraft,
  node: ts.ConstructorDeclaration | ts.MethodDeclaration | ts.AccessorDeclaration,
  scope: Scope,
  walk: ClassWalk,
  table: Members | null,
): void {
  const unit = walk.unit === null ? null : addMethodUnit(file, node, scope, walk.open);
  const name = memberName(node.name);
  if (table !== null && name !== null && !table.has(name)) {
    const content = compiler.isMethodDeclaration(node)
      ? ({ kind: 'method' } as const)
      : ({ kind: 'property', value: null, scope } as const);
    table.set(name, newDraft(content, unit));
  }
  visitFunction(file, node, scope, {
    self: scope.self,
    ...(unit !== null && { unit, qualifier: unit.qualified }),
  });
}

/** A property that holds a function is a method in all but syntax. */
function visitProperty(
  file: FileDraft,
  node: ts.PropertyDeclaration,
  scope: Scope,
  walk: ClassWalk,
  table: Members,
): void {
  const name = memberName(node.name);
  const value = node.initializer === undefined ? null : bare(node.initializer);
  if (name !== null && walk.unit !== null && value !== null && isFunctionValue(value)) {
    const unit = addUnit(file, scope, {
      type: 'method',
      name,
      node,
      nameNode: node.name,
      bodyAt: value.body.pos,
      metadata: { ...modifierFacts(node), ...modifierFacts(value) },
    });
    if (!table.has(name)) table.set(name, newDraft({ kind: 'method' }, unit));
    visitFunction(file, value, scope, { unit, qualifier: unit.qualified });
    return;
  }
  if (name !== null && !table.has(name)) {
    const known = node.type === undefined ? (node.initializer ?? null) : null;
    table.set(name, newDraft({ kind: 'property', value: known, scope }));
  }
  visitIfAny(file, node.initializer, scope);
}

function addParameterProperty(parameter: ts.ParameterDeclaration, scope: Scope, members: Members): void {
  if ((compiler.getModifiers(parameter) ?? []).length === 0) return;
  const name = memberName(parameter.name);
  if (name !== null && !members.has(name)) members.set(name, newDraft({ kind: 'property', value: null, scope }));
}
