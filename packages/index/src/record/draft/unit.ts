import type ts from 'typescript';
import type { JsonValue, UnitType } from '../../model.ts';
import { compiler, SyntaxKind } from '../source/compiler.ts';
import type { DraftUnit, FileDraft, Scope } from './draft.ts';

const MAX_SIGNATURE = 240;

/** How much text is looked at to make a signature; white space may shrink it. */
const SIGNATURE_WINDOW = 600;

interface UnitSource {
  readonly type: UnitType;
  readonly name: string;
  /** The source text of the unit, decorators included. */
  readonly node: ts.Node;
  readonly nameNode?: ts.Node | undefined;
  /** Where the body begins, which the signature leaves out. */
  readonly bodyAt?: number | undefined;
  readonly signature?: string;
  readonly metadata?: { [key: string]: JsonValue };
  readonly kept?: boolean;
  readonly open?: boolean;
}

/** Adds a unit below the unit of the scope. Units are numbered in this order, so a unit comes before what is in it. */
export function addUnit(file: FileDraft, scope: Scope, from: UnitSource): DraftUnit {
  const start = from.node.getStart(file.source);
  const unit: DraftUnit = {
    type: from.type,
    name: from.name,
    qualified: qualify(scope, from.name, from.type),
    namespace: scope.qualifier === '' ? null : scope.qualifier,
    parent: scope.unit,
    commentsAt: from.node.pos,
    start,
    end: from.node.end,
    nameAt: from.nameNode?.getStart(file.source) ?? start,
    signature: from.signature ?? signatureOf(file, from.node, from.bodyAt ?? from.node.end),
    metadata: from.metadata ?? {},
    kept: from.kept ?? true,
    open: from.open ?? false,
    number: -1,
  };
  file.units.push(unit);
  return unit;
}

/** Suites are set apart by ` > `, since their names are sentences with dots of their own. */
function qualify(scope: Scope, name: string, type: UnitType): string {
  if (scope.qualifier === '') return name;
  const separator = type === 'test_suite' || scope.unit.type === 'test_suite' ? ' > ' : '.';
  return `${scope.qualifier}${separator}${name}`;
}

function signatureOf(file: FileDraft, node: ts.Node, bodyAt: number): string {
  const start = startWithoutDecorators(file, node);
  return oneLine(file.text.slice(start, Math.min(bodyAt, start + SIGNATURE_WINDOW)), MAX_SIGNATURE).replace(
    /\s*(?:\{|=>|=|:)$/,
    '',
  );
}

function startWithoutDecorators(file: FileDraft, node: ts.Node): number {
  const decorators = compiler.canHaveDecorators(node) ? (compiler.getDecorators(node) ?? []) : [];
  const last = decorators.at(-1);
  if (last === undefined || decorators[0]?.pos !== node.pos) return node.getStart(file.source);
  let at = last.end;
  while (/\s/.test(file.text.charAt(at))) at++;
  return at;
}

/** White space that is more or other than one space. */
const UNEVEN = /[^\S ]| {2}/;

/** White space collapsed, cut to a length with an ellipsis. */
export function oneLine(text: string, length: number): string {
  const line = UNEVEN.test(text) ? text.replace(/\s+/g, ' ').trim() : text.trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

const FACTS: ReadonlyMap<ts.SyntaxKind, readonly [key: string, value: JsonValue]> = new Map([
  [SyntaxKind.DefaultKeyword, ['default', true]],
  [SyntaxKind.AsyncKeyword, ['async', true]],
  [SyntaxKind.StaticKeyword, ['static', true]],
  [SyntaxKind.AbstractKeyword, ['abstract', true]],
  [SyntaxKind.DeclareKeyword, ['ambient', true]],
  [SyntaxKind.PrivateKeyword, ['visibility', 'private']],
  [SyntaxKind.ProtectedKeyword, ['visibility', 'protected']],
]);

/** What the modifiers say; whether it is exported is known only at the end of the file. */
export function modifierFacts(node: ts.Node): { [key: string]: JsonValue } {
  const facts: { [key: string]: JsonValue } = {};
  for (const modifier of compiler.canHaveModifiers(node) ? (compiler.getModifiers(node) ?? []) : []) {
    const fact = FACTS.get(modifier.kind);
    if (fact !== undefined) facts[fact[0]] = fact[1];
  }
  return facts;
}

export function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  if (!compiler.canHaveModifiers(node)) return false;
  return node.modifiers?.some((modifier) => modifier.kind === kind) ?? false;
}
