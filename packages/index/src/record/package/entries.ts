import type ts from 'typescript';
import type { PackageFacts } from '../file-record.ts';
import { compiler } from '../source/compiler.ts';
import { type JsonProperty, propertiesOf, propertyOf, stringOf } from './json-values.ts';

type Entries = PackageFacts['entries'];

/** In the order in which a reader of types asks. */
const MAIN_FIELDS = ['types', 'typings', 'module', 'main'];

/**
 * What the package offers under which subpath: `exports` when it is there, else the main fields. All conditions are
 * listed in the order of the file; which of the targets exists is for the resolver to find.
 */
export function entriesOf(properties: readonly JsonProperty[]): Entries {
  const exports = propertyOf(properties, 'exports');
  if (exports !== undefined) return exportEntries(exports);
  return MAIN_FIELDS.flatMap((field): Entries => {
    const target = stringOf(propertyOf(properties, field));
    return target === null ? [] : [['.', target]];
  });
}

function exportEntries(exports: ts.Expression): Entries {
  const properties = propertiesOf(exports);
  const hasSubpaths = properties.some(({ name }) => name.startsWith('.'));
  if (!hasSubpaths) return targetsOf(exports).map((target): Entries[number] => ['.', target]);
  return properties.flatMap(({ name, value }) => targetsOf(value).map((target): Entries[number] => [name, target]));
}

function targetsOf(node: ts.Expression): string[] {
  const target = stringOf(node);
  if (target !== null) return [target];
  if (compiler.isArrayLiteralExpression(node)) return node.elements.flatMap(targetsOf);
  return propertiesOf(node).flatMap(({ value }) => targetsOf(value));
}
