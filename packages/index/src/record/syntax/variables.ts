import type ts from 'typescript';
import type { DraftContent, DraftUnit, FileDraft, Scope } from '../draft/draft.ts';
import { newDraft } from '../draft/draft.ts';
import { bare, isFunctionValue } from '../draft/names.ts';
import { declare, openScope } from '../draft/scope.ts';
import { addUnit, hasModifier, modifierFacts } from '../draft/unit.ts';
import { NAMESPACE } from '../file-record.ts';
import { compiler, SyntaxKind } from '../source/compiler.ts';
import { visitClass } from './classes.ts';
import { exportDeclared } from './exported.ts';
import { bindOpaque, visitFunction } from './functions.ts';
import { visitOwnObject } from './objects.ts';
import { bindPattern, boundNames, importedModule } from './patterns.ts';
import { type Rule, rule, visitIfAny } from './rule.ts';

function visitStatement(file: FileDraft, node: ts.VariableStatement, scope: Scope): void {
  const { declarations } = node.declarationList;
  const exported = hasModifier(node, SyntaxKind.ExportKeyword);
  for (const declaration of declarations) {
    const { name } = declaration;
    const target = hoistTarget(node.declarationList, scope);
    if (compiler.isIdentifier(name)) {
      if (name.text === '') visitIfAny(file, declaration.initializer, scope);
      else visitVariable(file, declaration, name, declarations.length === 1 ? node : declaration, { scope, target });
      exportDeclared(file, node, scope, { local: name.text, scope });
    } else {
      bindPattern(file, declaration, name, target, exported ? 'exported' : 'local');
      if (exported)
        for (const local of boundNames(name)) exportDeclared(file, node, scope, { local: local.text, scope });
      visitIfAny(file, declaration.initializer, scope);
    }
  }
}

/** `var` belongs to the function around it, wherever it stands. */
function hoistTarget(list: ts.VariableDeclarationList, scope: Scope): Scope {
  return (list.flags & compiler.NodeFlags.BlockScoped) === 0 ? (scope.hoist ?? scope) : scope;
}

/** `source` is what the unit spans: the whole statement when it declares one name. */
function visitVariable(
  file: FileDraft,
  node: ts.VariableDeclaration,
  name: ts.Identifier,
  source: ts.Node,
  { scope, target }: { readonly scope: Scope; readonly target: Scope },
): void {
  const value = node.initializer === undefined ? null : bare(node.initializer);
  const imported = value === null ? null : importedModule(file, value, scope);
  if (imported !== null) {
    declare(target, name.text, newDraft({ kind: 'import', name: NAMESPACE, ...imported }));
    visitIfAny(file, node.initializer, scope);
    return;
  }
  const unit = addVariableUnit(file, scope, { name, source, value });
  if (value !== null && isFunctionValue(value)) {
    declare(target, name.text, newDraft({ kind: 'function' }, unit));
    visitFunction(file, value, scope, { unit, qualifier: unit.qualified });
  } else if (value !== null && compiler.isClassExpression(value)) {
    declare(target, name.text, visitClass(file, value, scope, unit));
  } else {
    declare(target, name.text, newDraft(variableContent(node, scope), unit));
    visitPlainValue(file, node, scope, unit);
  }
}

/** A variable that holds a function or a class is called by what it holds; any other must be exported or called. */
function addVariableUnit(
  file: FileDraft,
  scope: Scope,
  {
    name,
    source,
    value,
  }: { readonly name: ts.Identifier; readonly source: ts.Node; readonly value: ts.Expression | null },
): DraftUnit {
  const isFunction = value !== null && isFunctionValue(value);
  const isClass = value !== null && compiler.isClassExpression(value);
  return addUnit(file, scope, {
    type: isFunction ? 'function' : isClass ? 'class' : 'variable',
    name: name.text,
    node: source,
    nameNode: name,
    bodyAt: bodyOf(value),
    metadata: { ...modifierFacts(source), ...(isFunction && modifierFacts(value)) },
    kept: isFunction || isClass,
  });
}

function visitPlainValue(file: FileDraft, node: ts.VariableDeclaration, scope: Scope, unit: DraftUnit): void {
  const value = node.initializer === undefined ? null : bare(node.initializer);
  if (value !== null && compiler.isObjectLiteralExpression(value)) {
    visitOwnObject(file, value, scope, { unit, self: typeIsGiven(node) ? 'unknown' : 'literal' });
  } else {
    visitIfAny(file, node.initializer, openScope(scope, 'block', { unit, qualifier: unit.qualified }));
  }
}

/** Then `this` in the methods of the literal is what that type says. */
function typeIsGiven(node: ts.VariableDeclaration): boolean {
  return (
    node.type !== undefined || (node.initializer !== undefined && compiler.isSatisfiesExpression(node.initializer))
  );
}

/** With an annotation the variable is what the annotation says, whatever it starts with. */
function variableContent(node: ts.VariableDeclaration, scope: Scope): DraftContent {
  return { kind: 'variable', value: node.type === undefined ? (node.initializer ?? null) : null, scope };
}

function bodyOf(value: ts.Expression | null): number | undefined {
  if (value === null) return undefined;
  if (isFunctionValue(value)) return value.body.pos;
  if (compiler.isClassExpression(value)) return value.members.pos;
  return compiler.isObjectLiteralExpression(value) ? value.properties.pos : undefined;
}

/** Variables of a loop's head: they shadow, and are no units. */
function visitLoopVariables(file: FileDraft, list: ts.VariableDeclarationList, scope: Scope): void {
  for (const declaration of list.declarations) {
    bindOpaque(file, declaration.name, hoistTarget(list, scope));
    visitIfAny(file, declaration.initializer, scope);
  }
}

export const variableRules: readonly Rule[] = [
  rule(SyntaxKind.VariableStatement, compiler.isVariableStatement, visitStatement),
  rule(SyntaxKind.VariableDeclarationList, compiler.isVariableDeclarationList, visitLoopVariables),
];
