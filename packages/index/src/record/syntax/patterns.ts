import type ts from 'typescript';
import type { DraftUnit, FileDraft, Scope } from '../draft/draft.ts';
import { newDraft, specifierNumber } from '../draft/draft.ts';
import { bare, literalArgument, memberName } from '../draft/names.ts';
import { declare } from '../draft/scope.ts';
import { addUnit } from '../draft/unit.ts';
import { compiler, SyntaxKind } from '../source/compiler.ts';
import { bindOpaque } from './functions.ts';

/** What `require('x')` and `await import('x')` give. */
export function importedModule(
  file: FileDraft,
  value: ts.Expression,
  scope: Scope,
): { specifier: number; required: Scope | null } | null {
  const awaited = compiler.isAwaitExpression(value) ? bare(value.expression) : null;
  const call = awaited ?? value;
  if (!compiler.isCallExpression(call)) return null;
  const specifier = literalArgument(call);
  if (specifier === null) return null;
  if (awaited !== null && call.expression.kind === SyntaxKind.ImportKeyword) {
    return { specifier: specifierNumber(file, specifier), required: null };
  }
  const requires = awaited === null && compiler.isIdentifier(call.expression) && call.expression.text === 'require';
  return requires ? { specifier: specifierNumber(file, specifier), required: scope } : null;
}

/** Destructuring a module imports its names; of anything else nothing is known yet. */
export function bindPattern(
  file: FileDraft,
  node: ts.VariableDeclaration,
  pattern: ts.BindingPattern,
  target: Scope,
  visibility: 'exported' | 'local',
): void {
  const value = node.initializer === undefined ? null : bare(node.initializer);
  const imported = value === null ? null : importedModule(file, value, target);
  if (imported !== null && compiler.isObjectBindingPattern(pattern)) {
    for (const element of pattern.elements) {
      const name = memberName(element.propertyName ?? element.name);
      if (name === null || !compiler.isIdentifier(element.name) || element.dotDotDotToken !== undefined) {
        bindOpaque(file, element.name, target);
      } else {
        declare(target, element.name.text, newDraft({ kind: 'import', name, ...imported }));
      }
    }
  } else if (visibility === 'exported') {
    for (const name of boundNames(pattern)) {
      declare(target, name.text, newDraft({ kind: 'opaque' }, patternUnit(file, node, name, target)));
    }
  } else {
    bindOpaque(file, pattern, target);
  }
}

function patternUnit(file: FileDraft, node: ts.VariableDeclaration, name: ts.Identifier, scope: Scope): DraftUnit {
  return addUnit(file, scope, { type: 'variable', name: name.text, node, nameNode: name });
}

/** All names that a pattern declares. */
export function boundNames(name: ts.BindingName): ts.Identifier[] {
  if (compiler.isIdentifier(name)) return name.text === '' ? [] : [name];
  return name.elements.flatMap((element) => (compiler.isOmittedExpression(element) ? [] : boundNames(element.name)));
}
