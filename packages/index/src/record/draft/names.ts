import type ts from 'typescript';
import { compiler } from '../source/compiler.ts';

/** The name of a member as it is looked up by; null when it is computed or was never written (a recovered error). */
export function memberName(name: ts.PropertyName | ts.BindingName | undefined): string | null {
  if (name === undefined) return null;
  if (compiler.isComputedPropertyName(name)) {
    return compiler.isStringLiteralLike(name.expression) ? name.expression.text : null;
  }
  if (compiler.isObjectBindingPattern(name) || compiler.isArrayBindingPattern(name)) return null;
  return name.text === '' ? null : name.text;
}

/** The name to show: also `[Symbol.iterator]`, which no look-up finds. */
export function shownName(name: ts.PropertyName | undefined, source: ts.SourceFile): string | null {
  const plain = memberName(name);
  if (plain !== null || name === undefined || !compiler.isComputedPropertyName(name)) return plain;
  const { expression } = name;
  return compiler.isPropertyAccessExpression(expression) || compiler.isIdentifier(expression)
    ? `[${expression.getText(source)}]`
    : null;
}

/** The expression under parentheses, `!`, `satisfies`, `as const` and type arguments: they do not change what it is. */
export function bare(expression: ts.Expression): ts.Expression {
  let inner = expression;
  while (
    compiler.isParenthesizedExpression(inner) ||
    compiler.isNonNullExpression(inner) ||
    compiler.isSatisfiesExpression(inner) ||
    compiler.isExpressionWithTypeArguments(inner) ||
    (compiler.isAsExpression(inner) && compiler.isConstTypeReference(inner.type))
  ) {
    inner = inner.expression;
  }
  return inner;
}

/** The callee under a cast too: a call through `(f as any)()` is still a call of `f`. */
export function bareCallee(expression: ts.Expression): ts.Expression {
  let inner = bare(expression);
  while (compiler.isAsExpression(inner) || compiler.isTypeAssertionExpression(inner)) inner = bare(inner.expression);
  return inner;
}

export function isFunctionValue(node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression {
  return compiler.isArrowFunction(node) || compiler.isFunctionExpression(node);
}

/** The specifier of `require('x')` or `import('x')`; null for anything else. */
export function literalArgument(call: ts.CallExpression): string | null {
  const first = call.arguments[0];
  return first !== undefined && compiler.isStringLiteralLike(first) ? first.text : null;
}
