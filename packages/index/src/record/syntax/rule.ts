import type ts from 'typescript';
import type { FileDraft, Scope } from '../draft/draft.ts';
import { compiler } from '../source/compiler.ts';

/** What to do with one kind of node; nodes without a rule are walked through. */
export interface Rule {
  readonly kind: ts.SyntaxKind;
  readonly apply: (file: FileDraft, node: ts.Node, scope: Scope) => void;
}

/** The guard gives the handler the node's own type, and is what makes that type true. */
export function rule<N extends ts.Node>(
  kind: ts.SyntaxKind,
  guard: (node: ts.Node) => node is N,
  handle: (file: FileDraft, node: N, scope: Scope) => void,
): Rule {
  return {
    kind,
    apply(file, node, scope) {
      if (guard(node)) handle(file, node, scope);
    },
  };
}

export function visitChildren(file: FileDraft, node: ts.Node, scope: Scope): void {
  compiler.forEachChild(node, (child) => {
    file.visit(child, scope);
  });
}

export function visitAll(file: FileDraft, nodes: Iterable<ts.Node>, scope: Scope): void {
  for (const node of nodes) file.visit(node, scope);
}

export function visitIfAny(file: FileDraft, node: ts.Node | undefined, scope: Scope): void {
  if (node !== undefined) file.visit(node, scope);
}
