import type ts from 'typescript';
import type { FileDraft, Scope } from '../draft/draft.ts';
import { newDraft } from '../draft/draft.ts';
import { declare, type Overrides, openScope } from '../draft/scope.ts';
import { addUnit, modifierFacts } from '../draft/unit.ts';
import { compiler, SyntaxKind } from '../source/compiler.ts';
import { exportDeclared } from './exported.ts';
import { type Rule, rule, visitAll, visitIfAny } from './rule.ts';

type FunctionNode =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration
  | ts.ConstructorDeclaration
  | ts.AccessorDeclaration;

/** Walks parameters and body in a scope of their own. An arrow function keeps the `this` around it. */
export function visitFunction(file: FileDraft, node: FunctionNode, outer: Scope, inside: Overrides = {}): void {
  const self = compiler.isArrowFunction(node) ? outer.self : null;
  const scope = openScope(outer, 'function', { self, ...inside });
  declareTypeParameters(node, scope);
  if (compiler.isFunctionExpression(node) && node.name !== undefined) {
    declare(scope, node.name.text, newDraft({ kind: 'function' }, inside.unit ?? null));
  }
  for (const parameter of node.parameters) {
    visitDecorators(file, parameter, scope);
    bindOpaque(file, parameter.name, scope);
    visitIfAny(file, parameter.initializer, scope);
  }
  if (node.body === undefined) return;
  if (compiler.isBlock(node.body)) visitAll(file, node.body.statements, scope);
  else file.visit(node.body, scope);
}

export function declareTypeParameters(node: ts.DeclarationWithTypeParameterChildren, scope: Scope): void {
  for (const parameter of node.typeParameters ?? []) {
    declare(scope, parameter.name.text, newDraft({ kind: 'type_parameter' }));
  }
}

export function visitDecorators(file: FileDraft, node: ts.Node, scope: Scope): void {
  if (!compiler.canHaveDecorators(node)) return;
  for (const decorator of compiler.getDecorators(node) ?? []) file.visit(decorator.expression, scope);
}

/** Declares every name of a parameter or pattern as one of which nothing is known. */
export function bindOpaque(file: FileDraft, name: ts.BindingName, scope: Scope): void {
  if (compiler.isIdentifier(name)) {
    if (name.text !== '') declare(scope, name.text, newDraft({ kind: 'opaque' }));
    return;
  }
  for (const element of name.elements) {
    if (compiler.isOmittedExpression(element)) continue;
    bindOpaque(file, element.name, scope);
    if (element.propertyName !== undefined && compiler.isComputedPropertyName(element.propertyName)) {
      file.visit(element.propertyName.expression, scope);
    }
    visitIfAny(file, element.initializer, scope);
  }
}

/** Overloads are one unit: a declaration without a body is continued by the next one of that name. */
function visitFunctionDeclaration(file: FileDraft, node: ts.FunctionDeclaration, scope: Scope): void {
  const name = node.name?.text ?? 'default';
  if (name === '') {
    visitFunction(file, node, scope);
    return;
  }
  const before = scope.names?.get(name)?.find((draft) => draft.unit?.open === true);
  if (before?.unit) {
    before.unit.end = node.end;
    before.unit.open = node.body === undefined;
    visitFunction(file, node, scope, { unit: before.unit, qualifier: before.unit.qualified });
    return;
  }
  const unit = addUnit(file, scope, {
    type: 'function',
    name,
    node,
    nameNode: node.name,
    bodyAt: node.body?.pos,
    metadata: modifierFacts(node),
    open: node.body === undefined,
  });
  const draft = newDraft({ kind: 'function' }, unit);
  if (node.name !== undefined) declare(scope, name, draft);
  exportDeclared(file, node, scope, node.name === undefined ? { draft } : { local: name, scope });
  visitFunction(file, node, scope, { unit, qualifier: unit.qualified });
}

export const functionRules: readonly Rule[] = [
  rule(SyntaxKind.FunctionDeclaration, compiler.isFunctionDeclaration, visitFunctionDeclaration),
  rule(SyntaxKind.FunctionExpression, compiler.isFunctionExpression, visitFunction),
  rule(SyntaxKind.ArrowFunction, compiler.isArrowFunction, visitFunction),
  rule(SyntaxKind.MethodDeclaration, compiler.isMethodDeclaration, visitFunction),
  rule(SyntaxKind.GetAccessor, compiler.isGetAccessorDeclaration, visitFunction),
  rule(SyntaxKind.SetAccessor, compiler.isSetAccessorDeclaration, visitFunction),
];
