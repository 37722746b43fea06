import type ts from 'typescript';
import type { FileDraft, Scope } from '../draft/draft.ts';
import { openScope } from '../draft/scope.ts';
import { compiler, SyntaxKind } from '../source/compiler.ts';
import { bindOpaque } from './functions.ts';
import { type Rule, rule, visitAll, visitChildren } from './rule.ts';

function visitInBlock(file: FileDraft, node: ts.Node, scope: Scope): void {
  visitChildren(file, node, openScope(scope, 'block'));
}

function visitCatch(file: FileDraft, node: ts.CatchClause, scope: Scope): void {
  const inside = openScope(scope, 'block');
  if (node.variableDeclaration !== undefined) bindOpaque(file, node.variableDeclaration.name, inside);
  visitAll(file, node.block.statements, inside);
}

/** `a + b + c + …` nests to the left as deep as it is long; generated files have thousands of them. */
function visitBinary(file: FileDraft, node: ts.BinaryExpression, scope: Scope): void {
  const rights: ts.Expression[] = [];
  let left: ts.Expression = node;
  while (compiler.isBinaryExpression(left)) {
    rights.push(left.right);
    left = left.left;
  }
  file.visit(left, scope);
  for (const right of rights.reverse()) file.visit(right, scope);
}

export const blockRules: readonly Rule[] = [
  rule(SyntaxKind.Block, compiler.isBlock, visitInBlock),
  rule(SyntaxKind.CaseBlock, compiler.isCaseBlock, visitInBlock),
  rule(SyntaxKind.ForStatement, compiler.isForStatement, visitInBlock),
  rule(SyntaxKind.ForInStatement, compiler.isForInStatement, visitInBlock),
  rule(SyntaxKind.ForOfStatement, compiler.isForOfStatement, visitInBlock),
  rule(SyntaxKind.CatchClause, compiler.isCatchClause, visitCatch),
  rule(SyntaxKind.BinaryExpression, compiler.isBinaryExpression, visitBinary),
];
