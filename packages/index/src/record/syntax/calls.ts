import type ts from 'typescript';
import type { FileDraft, Scope } from '../draft/draft.ts';
import { specifierNumber } from '../draft/draft.ts';
import { bareCallee, literalArgument } from '../draft/names.ts';
import { compiler, SyntaxKind } from '../source/compiler.ts';
import { type Rule, rule, visitAll, visitChildren, visitIfAny } from './rule.ts';
import { visitSuite } from './suites.ts';

function visitCall(file: FileDraft, node: ts.CallExpression, scope: Scope): void {
  const callee = node.expression;
  if (callee.kind === SyntaxKind.ImportKeyword) {
    addModuleCall(file, node, 'dynamic_import', null);
    visitAll(file, node.arguments, scope);
    return;
  }
  if (compiler.isIdentifier(callee) && callee.text === 'require') addModuleCall(file, node, 'require', scope);
  if (callee.kind !== SyntaxKind.SuperKeyword) {
    addSite(file, 'call', callee, scope);
    file.visit(callee, scope);
  }
  if (!visitSuite(file, node, scope)) visitAll(file, node.arguments, scope);
}

function addModuleCall(
  file: FileDraft,
  node: ts.CallExpression,
  via: 'dynamic_import' | 'require',
  required: Scope | null,
): void {
  const specifier = literalArgument(node);
  if (specifier === null) return;
  file.imports.push({
    specifier: specifierNumber(file, specifier),
    via,
    at: node.getStart(file.source),
    names: [],
    required,
  });
}

/** Only a callee with a name can lead anywhere: `a()`, `a.b()`. The site is where that name stands. */
function addSite(file: FileDraft, via: 'call' | 'new', callee: ts.Expression, scope: Scope): void {
  const target = bareCallee(callee);
  const name = compiler.isPropertyAccessExpression(target)
    ? target.name
    : compiler.isIdentifier(target)
      ? target
      : null;
  if (name !== null) file.sites.push({ via, at: name.getStart(file.source), target, scope });
}

function visitNew(file: FileDraft, node: ts.NewExpression, scope: Scope): void {
  addSite(file, 'new', node.expression, scope);
  file.visit(node.expression, scope);
  visitAll(file, node.arguments ?? [], scope);
}

function visitTaggedTemplate(file: FileDraft, node: ts.TaggedTemplateExpression, scope: Scope): void {
  addSite(file, 'call', node.tag, scope);
  visitChildren(file, node, scope);
}

/** The name of a tag or an attribute is no expression. */
function visitJsxTag(file: FileDraft, node: ts.JsxOpeningElement | ts.JsxSelfClosingElement, scope: Scope): void {
  visitIfAny(file, node.attributes, scope);
}

/** `f<string>` is a type to TypeScript's own test, but stands where expressions stand. */
function visitInstantiation(file: FileDraft, node: ts.ExpressionWithTypeArguments, scope: Scope): void {
  file.visit(node.expression, scope);
}

export const callRules: readonly Rule[] = [
  rule(SyntaxKind.CallExpression, compiler.isCallExpression, visitCall),
  rule(SyntaxKind.NewExpression, compiler.isNewExpression, visitNew),
  rule(SyntaxKind.TaggedTemplateExpression, compiler.isTaggedTemplateExpression, visitTaggedTemplate),
  rule(SyntaxKind.ExpressionWithTypeArguments, compiler.isExpressionWithTypeArguments, visitInstantiation),
  rule(SyntaxKind.JsxOpeningElement, compiler.isJsxOpeningElement, visitJsxTag),
  rule(SyntaxKind.JsxSelfClosingElement, compiler.isJsxSelfClosingElement, visitJsxTag),
];
