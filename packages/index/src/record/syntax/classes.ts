import type ts from 'typescript';
import type { Draft, DraftUnit, FileDraft, Members, Scope } from '../draft/draft.ts';
import { newDraft } from '../draft/draft.ts';
import { declare, openScope } from '../draft/scope.ts';
import { addUnit, modifierFacts } from '../draft/unit.ts';
import { compiler, SyntaxKind } from '../source/compiler.ts';
import { type ClassWalk, visitMember } from './class-members.ts';
import { exportDeclared } from './exported.ts';
import { declareTypeParameters, visitDecorators } from './functions.ts';
import { type Rule, rule } from './rule.ts';

/** Walks a class whose unit was made by the caller; null for one that nothing names. */
export function visitClass(
  file: FileDraft,
  node: ts.ClassLikeDeclaration,
  outer: Scope,
  unit: DraftUnit | null,
): Draft {
  const scope = openScope(outer, 'block', unit === null ? {} : { unit, qualifier: unit.qualified });
  const members: Members = new Map();
  const statics: Members = new Map();
  const heritage = heritageOf(node, SyntaxKind.ExtendsKeyword)[0]?.expression ?? null;
  const draft = newDraft({ kind: 'class', heritage, scope, members, statics }, unit);
  file.literals.set(node, draft);
  if (compiler.isClassExpression(node) && node.name !== undefined) declare(scope, node.name.text, draft);
  declareTypeParameters(node, scope);
  visitDecorators(file, node, scope);
  visitHeritage(file, node, scope);
  const walk: ClassWalk = { draft, scope, members, statics, unit, open: new Map() };
  for (const member of node.members) visitMember(file, member, walk);
  return draft;
}

function heritageOf(node: ts.ClassLikeDeclaration, token: ts.SyntaxKind): readonly ts.ExpressionWithTypeArguments[] {
  return node.heritageClauses?.filter((clause) => clause.token === token).flatMap((clause) => clause.types) ?? [];
}

function visitHeritage(file: FileDraft, node: ts.ClassLikeDeclaration, scope: Scope): void {
  for (const [token, via] of [
    [SyntaxKind.ExtendsKeyword, 'extends'],
    [SyntaxKind.ImplementsKeyword, 'implements'],
  ] as const) {
    for (const { expression } of heritageOf(node, token)) {
      file.sites.push({ via, at: expression.getStart(file.source), target: expression, scope });
      if (via === 'extends') file.visit(expression, scope);
    }
  }
}

/** A class declaration anywhere, and a class expression that has a name. */
function visitNamedClass(file: FileDraft, node: ts.ClassDeclaration | ts.ClassExpression, scope: Scope): void {
  const name = node.name?.text ?? (compiler.isClassDeclaration(node) ? 'default' : '');
  if (name === '') {
    visitClass(file, node, scope, null);
    return;
  }
  const unit = addUnit(file, scope, {
    type: 'class',
    name,
    node,
    nameNode: node.name,
    bodyAt: node.members.pos,
    metadata: modifierFacts(node),
  });
  const draft = visitClass(file, node, scope, unit);
  if (!compiler.isClassDeclaration(node)) return;
  if (node.name !== undefined) declare(scope, name, draft);
  exportDeclared(file, node, scope, node.name === undefined ? { draft } : { local: name, scope });
}

export const classRules: readonly Rule[] = [
  rule(SyntaxKind.ClassDeclaration, compiler.isClassDeclaration, visitNamedClass),
  rule(SyntaxKind.ClassExpression, compiler.isClassExpression, visitNamedClass),
];
