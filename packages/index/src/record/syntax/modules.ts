import type ts from 'typescript';
import type { FileDraft, Scope } from '../draft/draft.ts';
import { newDraft, specifierNumber } from '../draft/draft.ts';
import { bare, isFunctionValue } from '../draft/names.ts';
import { declare, openScope } from '../draft/scope.ts';
import { addUnit, modifierFacts } from '../draft/unit.ts';
import { EXPORT_EQUALS, type ImportVia, NAMESPACE } from '../file-record.ts';
import { compiler, SyntaxKind } from '../source/compiler.ts';
import { visitClass } from './classes.ts';
import { exportAs, exportDeclared } from './exported.ts';
import { visitFunction } from './functions.ts';
import { visitOwnObject } from './objects.ts';
import { type Rule, rule, visitIfAny } from './rule.ts';

function addImport(file: FileDraft, node: ts.Node, specifier: number, via: ImportVia, names: readonly string[]): void {
  file.imports.push({ specifier, via, at: node.getStart(file.source), names, required: null });
}

function visitImport(file: FileDraft, node: ts.ImportDeclaration, scope: Scope): void {
  if (!compiler.isStringLiteral(node.moduleSpecifier)) return;
  const specifier = specifierNumber(file, node.moduleSpecifier.text);
  const clause = node.importClause;
  const bind = (local: ts.Identifier, name: string) => {
    declare(scope, local.text, newDraft({ kind: 'import', specifier, name, required: null }));
  };
  if (clause?.name !== undefined) bind(clause.name, 'default');
  const elements = clause?.namedBindings;
  if (elements !== undefined && compiler.isNamespaceImport(elements)) bind(elements.name, NAMESPACE);
  const named = elements !== undefined && compiler.isNamedImports(elements) ? [...elements.elements] : [];
  for (const element of named) bind(element.name, importedName(element));
  const typeOnly = clause?.phaseModifier === SyntaxKind.TypeKeyword;
  const types = named.filter((element) => typeOnly || element.isTypeOnly).map(importedName);
  const values = named.filter((element) => !typeOnly && !element.isTypeOnly).map(importedName);
  if (clause?.name !== undefined) (typeOnly ? types : values).unshift('default');
  const onlyTypes = typeOnly || (values.length === 0 && types.length > 0);
  if (!onlyTypes) addImport(file, node, specifier, 'import', values);
  if (onlyTypes || types.length > 0) addImport(file, node, specifier, 'type_import', types);
}

function importedName(element: ts.ImportSpecifier | ts.ExportSpecifier): string {
  return (element.propertyName ?? element.name).text;
}

function visitImportEquals(file: FileDraft, node: ts.ImportEqualsDeclaration, scope: Scope): void {
  const reference = node.moduleReference;
  if (compiler.isExternalModuleReference(reference) && compiler.isStringLiteralLike(reference.expression)) {
    const specifier = specifierNumber(file, reference.expression.text);
    addImport(file, node, specifier, 'require', []);
    declare(scope, node.name.text, newDraft({ kind: 'import', specifier, name: NAMESPACE, required: null }));
  } else {
    declare(scope, node.name.text, newDraft({ kind: 'opaque' }));
  }
  exportDeclared(file, node, scope, { local: node.name.text, scope });
}

function visitExport(file: FileDraft, node: ts.ExportDeclaration, scope: Scope): void {
  const clause = node.exportClause;
  const elements = clause !== undefined && compiler.isNamedExports(clause) ? clause.elements : [];
  if (node.moduleSpecifier === undefined) {
    if (scope.parent !== null) return;
    for (const element of elements) exportAs(file, element.name.text, { local: importedName(element), scope });
    return;
  }
  if (!compiler.isStringLiteral(node.moduleSpecifier)) return;
  const specifier = specifierNumber(file, node.moduleSpecifier.text);
  addImport(file, node, specifier, 're_export', elements.map(importedName));
  const reexport = (exported: string, name: string) => {
    exportAs(file, exported, { draft: newDraft({ kind: 'import', specifier, name, required: null }) });
  };
  for (const element of elements) reexport(element.name.text, importedName(element));
  if (clause === undefined) file.stars.push(specifier);
  else if (compiler.isNamespaceExport(clause)) reexport(clause.name.text, NAMESPACE);
}

/** `export default …` and `export = …`: what has no name of its own becomes the unit `default`. */
function visitExportAssignment(file: FileDraft, node: ts.ExportAssignment, scope: Scope): void {
  const value = bare(node.expression);
  const exported = node.isExportEquals === true ? EXPORT_EQUALS : 'default';
  if (compiler.isIdentifier(value)) {
    exportAs(file, exported, { local: value.text, scope });
    return;
  }
  const isFunction = isFunctionValue(value);
  const unit = addUnit(file, scope, {
    type: isFunction ? 'function' : compiler.isClassExpression(value) ? 'class' : 'variable',
    name: 'default',
    node,
    bodyAt: isFunction ? value.body.pos : undefined,
    metadata: { default: true, ...(isFunction && modifierFacts(value)) },
  });
  if (isFunction) {
    exportAs(file, exported, { draft: newDraft({ kind: 'function' }, unit) });
    visitFunction(file, value, scope, { unit, qualifier: unit.qualified });
    return;
  }
  if (compiler.isClassExpression(value)) {
    exportAs(file, exported, { draft: visitClass(file, value, scope, unit) });
    return;
  }
  exportAs(file, exported, { draft: newDraft({ kind: 'variable', value: node.expression, scope }, unit) });
  if (compiler.isObjectLiteralExpression(value)) {
    const self = compiler.isSatisfiesExpression(node.expression) ? 'unknown' : 'literal';
    visitOwnObject(file, value, scope, { unit, self });
    return;
  }
  visitIfAny(file, node.expression, openScope(scope, 'block', { unit, qualifier: unit.qualified }));
}

export const moduleRules: readonly Rule[] = [
  rule(SyntaxKind.ImportDeclaration, compiler.isImportDeclaration, visitImport),
  rule(SyntaxKind.ImportEqualsDeclaration, compiler.isImportEqualsDeclaration, visitImportEquals),
  rule(SyntaxKind.ExportDeclaration, compiler.isExportDeclaration, visitExport),
  rule(SyntaxKind.ExportAssignment, compiler.isExportAssignment, visitExportAssignment),
];
