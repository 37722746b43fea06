import type ts from 'typescript';
import type { ExportDraft, FileDraft, Scope } from '../draft/draft.ts';
import { hasModifier } from '../draft/unit.ts';
import { SyntaxKind } from '../source/compiler.ts';

/** Notes what a declaration with `export` exports. Exports inside a namespace are members of it, not of the file. */
export function exportDeclared(file: FileDraft, node: ts.Node, scope: Scope, what: ExportDraft): void {
  if (scope.parent !== null || !hasModifier(node, SyntaxKind.ExportKeyword)) return;
  if (hasModifier(node, SyntaxKind.DefaultKeyword)) exportAs(file, 'default', what);
  else if ('local' in what) exportAs(file, what.local, what);
}

/** The first export of a name counts; a second one is an error in the file. */
export function exportAs(file: FileDraft, name: string, what: ExportDraft): void {
  if (!file.exports.has(name)) file.exports.set(name, what);
}
