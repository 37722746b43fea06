import type ts from 'typescript';
import type { DraftUnit, FileDraft, Members, Scope } from '../draft/draft.ts';
import { newDraft } from '../draft/draft.ts';
import { memberName } from '../draft/names.ts';
import { declare, openScope } from '../draft/scope.ts';
import { addUnit, modifierFacts } from '../draft/unit.ts';
import { compiler, SyntaxKind } from '../source/compiler.ts';
import { exportDeclared } from './exported.ts';
import { declareTypeParameters } from './functions.ts';
import { addMethodUnit, type OpenUnits } from './methods.ts';
import { type Rule, rule, visitAll, visitIfAny } from './rule.ts';

type NamedType = ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.EnumDeclaration;

function addTypeUnit(file: FileDraft, node: NamedType, scope: Scope, bodyAt: number): DraftUnit {
  const type = compiler.isInterfaceDeclaration(node)
    ? 'interface'
    : compiler.isEnumDeclaration(node)
      ? 'enum'
      : 'type_alias';
  return addUnit(file, scope, {
    type,
    name: node.name.text,
    node,
    nameNode: node.name,
    bodyAt,
    metadata: modifierFacts(node),
  });
}

function visitInterface(file: FileDraft, node: ts.InterfaceDeclaration, scope: Scope): void {
  if (node.name.text === '') return;
  const unit = addTypeUnit(file, node, scope, node.members.pos);
  const inside = openScope(scope, 'block', { unit, qualifier: unit.qualified });
  declareTypeParameters(node, inside);
  const bases = node.heritageClauses?.flatMap((clause) => clause.types) ?? [];
  for (const { expression } of bases) {
    file.sites.push({ via: 'extends', at: expression.getStart(file.source), target: expression, scope: inside });
  }
  const members = visitMembers(file, node, inside);
  const draft = newDraft(
    { kind: 'interface', extends: bases.map((base) => base.expression), scope: inside, members },
    unit,
  );
  declare(scope, node.name.text, draft);
  exportDeclared(file, node, scope, { local: node.name.text, scope });
}

/** What can be called on the interface is a unit: a call through it has to lead somewhere. */
function visitMembers(file: FileDraft, node: ts.InterfaceDeclaration, scope: Scope): Members {
  const members: Members = new Map();
  const open: OpenUnits = new Map();
  for (const member of node.members) {
    const name = memberName(member.name);
    if (compiler.isMethodSignature(member)) {
      const unit = addMethodUnit(file, member, scope, open);
      if (name !== null && !members.has(name)) members.set(name, newDraft({ kind: 'method' }, unit));
    } else if (compiler.isPropertySignature(member) && name !== null && !members.has(name)) {
      const callable = member.type !== undefined && compiler.isFunctionTypeNode(member.type);
      const unit = callable
        ? addUnit(file, scope, { type: 'method', name, node: member, nameNode: member.name })
        : null;
      members.set(name, newDraft({ kind: 'property', value: null, scope }, unit));
    }
  }
  return members;
}

function visitTypeAlias(file: FileDraft, node: ts.TypeAliasDeclaration, scope: Scope): void {
  if (node.name.text === '') return;
  declare(scope, node.name.text, newDraft({ kind: 'type_alias' }, addTypeUnit(file, node, scope, node.end)));
  exportDeclared(file, node, scope, { local: node.name.text, scope });
}

function visitEnum(file: FileDraft, node: ts.EnumDeclaration, scope: Scope): void {
  if (node.name.text === '') return;
  const unit = addTypeUnit(file, node, scope, node.members.pos);
  declare(scope, node.name.text, newDraft({ kind: 'enum' }, unit));
  exportDeclared(file, node, scope, { local: node.name.text, scope });
  const inside = openScope(scope, 'block', { unit, qualifier: unit.qualified });
  for (const member of node.members) visitIfAny(file, member.initializer, inside);
}

/** `namespace A`, `declare global`, `declare module 'x'`: no unit, but what is in it is named under it. */
function visitNamespace(file: FileDraft, node: ts.ModuleDeclaration, scope: Scope): void {
  const name = node.name.text;
  const qualifier = scope.qualifier === '' ? name : `${scope.qualifier}.${name}`;
  const inside = openScope(scope, 'function', { qualifier, self: null });
  if (compiler.isIdentifier(node.name) && (node.flags & compiler.NodeFlags.GlobalAugmentation) === 0) {
    declare(scope, name, newDraft({ kind: 'namespace', scope: inside }));
    exportDeclared(file, node, scope, { local: name, scope });
  }
  if (node.body === undefined) return;
  if (compiler.isModuleBlock(node.body)) visitAll(file, node.body.statements, inside);
  else file.visit(node.body, inside);
}

export const typeRules: readonly Rule[] = [
  rule(SyntaxKind.InterfaceDeclaration, compiler.isInterfaceDeclaration, visitInterface),
  rule(SyntaxKind.TypeAliasDeclaration, compiler.isTypeAliasDeclaration, visitTypeAlias),
  rule(SyntaxKind.EnumDeclaration, compiler.isEnumDeclaration, visitEnum),
  rule(SyntaxKind.ModuleDeclaration, compiler.isModuleDeclaration, visitNamespace),
];
