import type ts from 'typescript';
import type { JsonValue } from '../../model.ts';
import { memberName } from '../draft/names.ts';
import { compiler, SyntaxKind } from '../source/compiler.ts';

/** A property of a JSON object with where it stands. */
export interface JsonProperty {
  readonly name: string;
  readonly value: ts.Expression;
  readonly node: ts.PropertyAssignment;
}

/** Properties in the order of the file; none when the node is no object. */
export function propertiesOf(node: ts.Expression | undefined): JsonProperty[] {
  if (node === undefined || !compiler.isObjectLiteralExpression(node)) return [];
  return node.properties.flatMap((property) => {
    if (!compiler.isPropertyAssignment(property)) return [];
    const name = memberName(property.name);
    return name === null ? [] : [{ name, value: property.initializer, node: property }];
  });
}

export function propertyOf(properties: readonly JsonProperty[], name: string): ts.Expression | undefined {
  return properties.find((property) => property.name === name)?.value;
}

export function stringOf(node: ts.Expression | undefined): string | null {
  return node !== undefined && compiler.isStringLiteral(node) ? node.text : null;
}

/** Strings, numbers, booleans and lists of them; an object gives null, since its names would become keys. */
export function plainValue(node: ts.Expression): JsonValue {
  if (compiler.isStringLiteral(node)) return node.text;
  if (compiler.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === SyntaxKind.TrueKeyword) return true;
  if (node.kind === SyntaxKind.FalseKeyword) return false;
  return compiler.isArrayLiteralExpression(node) ? node.elements.map(plainValue) : null;
}
