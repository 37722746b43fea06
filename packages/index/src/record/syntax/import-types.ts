import type ts from 'typescript';
import { type FileDraft, specifierNumber } from '../draft/draft.ts';
import { compiler } from '../source/compiler.ts';

/**
 * Modules that only types name: `import('x').T` and `/// <reference path>`. Types are not walked otherwise, so a file
 * that cannot hold one is not walked a second time.
 */
export function addTypeReferences(file: FileDraft): void {
  for (const { fileName, pos } of file.source.referencedFiles) {
    add(file, /^\.{0,2}\//.test(fileName) ? fileName : `./${fileName}`, pos);
  }
  if (/\bimport\s*\(/.test(file.text)) addImportTypes(file, file.source);
}

function addImportTypes(file: FileDraft, node: ts.Node): void {
  if (compiler.isImportTypeNode(node) && compiler.isLiteralTypeNode(node.argument)) {
    const { literal } = node.argument;
    if (compiler.isStringLiteral(literal)) add(file, literal.text, node.getStart(file.source));
  }
  compiler.forEachChild(node, (child) => {
    addImportTypes(file, child);
  });
}

function add(file: FileDraft, specifier: string, at: number): void {
  file.imports.push({
    specifier: specifierNumber(file, specifier),
    via: 'type_import',
    at,
    names: [],
    required: null,
  });
}
