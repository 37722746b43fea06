import type ts from 'typescript';
import type { FileDraft, Scope } from '../draft/draft.ts';
import { isFunctionValue } from '../draft/names.ts';
import { lookUp } from '../draft/scope.ts';
import { addUnit, oneLine } from '../draft/unit.ts';
import { compiler } from '../source/compiler.ts';
import { visitFunction } from './functions.ts';

/** What vitest, jest, mocha, node:test and Playwright call their blocks. */
const BLOCKS: ReadonlySet<string> = new Set([
  'describe',
  'context',
  'suite',
  'it',
  'test',
  'specify',
  'fdescribe',
  'xdescribe',
  'fit',
  'xit',
  'xtest',
]);

const MAX_TITLE = 120;

/** Makes a unit of `describe('title', () => …)` and the like and walks it; false when the call is none. */
export function visitSuite(file: FileDraft, node: ts.CallExpression, scope: Scope): boolean {
  const block = blockName(node.expression);
  const [first, ...rest] = node.arguments;
  if (block === null || first === undefined || rest.length > 2 || !rest.some(isFunctionValue)) return false;
  const title = titleOf(first, file);
  if (title === null || isDeclaredHere(scope, block)) return false;
  const unit = addUnit(file, scope, {
    type: 'test_suite',
    name: title,
    node,
    signature: `${block}(${title})`,
    metadata: { block },
  });
  const inside = { unit, qualifier: unit.qualified };
  file.visit(first, scope);
  for (const argument of rest) {
    if (isFunctionValue(argument)) visitFunction(file, argument, scope, inside);
    else file.visit(argument, scope);
  }
  return true;
}

/** `it`, `it.skip`, `it.each(table)`, `test.describe.only` … */
function blockName(callee: ts.Expression): string | null {
  let root = callee;
  while (!compiler.isIdentifier(root)) {
    if (compiler.isPropertyAccessExpression(root) || compiler.isCallExpression(root)) root = root.expression;
    else if (compiler.isTaggedTemplateExpression(root)) root = root.tag;
    else return null;
  }
  return BLOCKS.has(root.text) ? root.text : null;
}

function titleOf(node: ts.Expression, file: FileDraft): string | null {
  if (compiler.isStringLiteralLike(node)) return oneLine(node.text, MAX_TITLE) || null;
  if (compiler.isTemplateExpression(node)) return oneLine(node.getText(file.source).slice(1, -1), MAX_TITLE);
  if (compiler.isIdentifier(node) || compiler.isPropertyAccessExpression(node)) {
    return oneLine(node.getText(file.source), MAX_TITLE);
  }
  return null;
}

/** A function of the file that happens to be called `test` is no test block; one that is imported is. */
function isDeclaredHere(scope: Scope, name: string): boolean {
  const draft = lookUp(scope, name, 'value');
  return draft !== null && draft.content.kind !== 'import';
}
