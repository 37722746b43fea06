import type ts from 'typescript';
import type { Draft, Scope } from '../draft/draft.ts';
import { specifierNumber } from '../draft/draft.ts';
import { bare, literalArgument } from '../draft/names.ts';
import { lookUp, type Meaning } from '../draft/scope.ts';
import type { Expression } from '../file-record.ts';
import { compiler, SyntaxKind } from '../source/compiler.ts';
import { numberOf, type Reduction } from './reduction.ts';

/** What the expression stands for; null when it cannot be followed, so that nothing is ever guessed. */
export function reduceExpression(
  reduction: Reduction,
  expression: ts.Expression,
  scope: Scope,
  meaning: Meaning = 'value',
): Expression | null {
  const node = bare(expression);
  if (compiler.isIdentifier(node)) return reduceName(reduction, node.text, scope, meaning);
  if (compiler.isPropertyAccessExpression(node)) {
    const object = reduceExpression(reduction, node.expression, scope, meaning);
    return object === null || node.name.text === '' ? null : ['.', object, node.name.text];
  }
  const literal = reduction.file.literals.get(node);
  if (literal !== undefined) return numberOf(reduction, literal);
  if (node.kind === SyntaxKind.ThisKeyword) return reduceThis(reduction, scope);
  if (node.kind === SyntaxKind.SuperKeyword) return reduceSuper(reduction, scope);
  if (compiler.isNewExpression(node)) {
    const made = reduceExpression(reduction, node.expression, scope);
    return made === null ? null : ['new', made];
  }
  if (compiler.isAwaitExpression(node)) return reduceImportCall(reduction, bare(node.expression));
  return compiler.isCallExpression(node) ? reduceRequire(reduction, node, scope) : null;
}

/** A local name by its number, with the file's own `require` told from everybody's. */
function reduceName(reduction: Reduction, name: string, scope: Scope, meaning: Meaning): number | null {
  const draft = lookUp(scope, name, meaning);
  return draft === null || isShadowedRequire(draft) ? null : numberOf(reduction, draft);
}

function isShadowedRequire({ content }: Draft): boolean {
  return content.kind === 'import' && content.required !== null && !requiresModules(content.required);
}

/** Whether `require` means the module loader here: undeclared, or made with `createRequire`. */
export function requiresModules(scope: Scope): boolean {
  const declared = lookUp(scope, 'require', 'value');
  if (declared === null) return true;
  if (declared.content.kind !== 'variable' || declared.content.value === null) return false;
  const value = bare(declared.content.value);
  return (
    compiler.isCallExpression(value) &&
    compiler.isIdentifier(value.expression) &&
    value.expression.text === 'createRequire'
  );
}

function reduceThis(reduction: Reduction, { self }: Scope): Expression | null {
  if (self === null) return null;
  const number = numberOf(reduction, self.draft);
  return number === null || self.side === 'static' ? number : ['this', number];
}

function reduceSuper(reduction: Reduction, { self }: Scope): Expression | null {
  if (self === null || self.draft.content.kind !== 'class') return null;
  const number = numberOf(reduction, self.draft);
  if (number === null) return null;
  return self.side === 'static' ? ['super static', number] : ['super', number];
}

function reduceImportCall(reduction: Reduction, node: ts.Expression): Expression | null {
  if (!compiler.isCallExpression(node) || node.expression.kind !== SyntaxKind.ImportKeyword) return null;
  const specifier = literalArgument(node);
  return specifier === null ? null : ['module', specifierNumber(reduction.file, specifier)];
}

function reduceRequire(reduction: Reduction, node: ts.CallExpression, scope: Scope): Expression | null {
  if (!compiler.isIdentifier(node.expression) || node.expression.text !== 'require') return null;
  const specifier = literalArgument(node);
  if (specifier === null || !requiresModules(scope)) return null;
  return ['module', specifierNumber(reduction.file, specifier)];
}
