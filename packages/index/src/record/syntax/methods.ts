import type ts from 'typescript';
import type { DraftUnit, FileDraft, Scope } from '../draft/draft.ts';
import { shownName } from '../draft/names.ts';
import { addUnit, hasModifier, modifierFacts } from '../draft/unit.ts';
import { compiler, SyntaxKind } from '../source/compiler.ts';

type MethodNode = ts.ConstructorDeclaration | ts.MethodDeclaration | ts.AccessorDeclaration | ts.MethodSignature;

/** Units of one class, object or interface that the next member of the same name continues. */
export type OpenUnits = Map<string, DraftUnit>;

/**
 * The unit of a method. Overloads are one unit, and so are both accessors of a pair; the unit spans them when they
 * follow each other.
 */
export function addMethodUnit(file: FileDraft, node: MethodNode, scope: Scope, open: OpenUnits): DraftUnit | null {
  const name = compiler.isConstructorDeclaration(node) ? 'constructor' : shownName(node.name, file.source);
  if (name === null) return null;
  const accessor = accessorOf(node);
  const key = `${hasModifier(node, SyntaxKind.StaticKeyword) ? 'static ' : ''}${name}`;
  const before = open.get(key);
  if (before !== undefined && continues(before, accessor)) {
    if (onlySpaceBetween(file, before.end, node)) before.end = node.end;
    before.open = !('body' in node) || node.body === undefined;
    if (accessor !== null) before.metadata.accessors = ['get', 'set'];
    return before;
  }
  const body = 'body' in node ? node.body : undefined;
  const unit = addUnit(file, scope, {
    type: 'method',
    name,
    node,
    nameNode: node.name,
    bodyAt: body?.pos,
    metadata: { ...modifierFacts(node), ...(accessor !== null && { accessors: [accessor] }) },
    open: body === undefined,
  });
  open.set(key, unit);
  return unit;
}

function accessorOf(node: MethodNode): 'get' | 'set' | null {
  if (compiler.isGetAccessorDeclaration(node)) return 'get';
  return compiler.isSetAccessorDeclaration(node) ? 'set' : null;
}

function continues(before: DraftUnit, accessor: 'get' | 'set' | null): boolean {
  const { accessors } = before.metadata;
  if (accessor === null) return before.open && accessors === undefined;
  return Array.isArray(accessors) && accessors.length === 1 && accessors[0] !== accessor;
}

/** Comments before the node belong to it. */
function onlySpaceBetween(file: FileDraft, end: number, node: ts.Node): boolean {
  return /^[\s;,]*$/.test(file.text.slice(end, node.pos));
}
