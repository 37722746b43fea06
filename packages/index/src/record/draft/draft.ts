import type ts from 'typescript';
import type { JsonValue, UnitType } from '../../model.ts';
import type { ImportVia, SiteVia } from '../file-record.ts';

/** A unit in the making. Offsets are UTF-16, as the parser counts. */
export interface DraftUnit {
  readonly type: UnitType;
  readonly name: string;
  /** Name under those of the units around it; not yet unique. */
  readonly qualified: string;
  readonly namespace: string | null;
  readonly parent: DraftUnit | null;
  /** Leading comments are looked for before this offset. */
  readonly commentsAt: number;
  readonly start: number;
  /** Grows when an overload or the other accessor of a pair follows. */
  end: number;
  readonly nameAt: number;
  readonly signature: string;
  readonly metadata: { [key: string]: JsonValue };
  /** A variable is only a unit when it is exported or called. */
  kept: boolean;
  /** An overload or an accessor: what follows under the same name belongs to it. */
  open: boolean;
  number: number;
}

/** What `this` is: an instance of a class or an object literal (`instance`), or the class itself (`static`). */
export interface Self {
  readonly draft: Draft;
  readonly side: 'instance' | 'static';
}

/**
 * One lexical scope. Names are looked up only after the whole file was walked, so that what is declared below its use is
 * found too.
 */
export interface Scope {
  readonly parent: Scope | null;
  /** Where `var` declares; null for a scope that is such a place itself. */
  readonly hoist: Scope | null;
  /** The nearest unit around: what happens here is done by it. */
  readonly unit: DraftUnit;
  /** The qualified name that units declared here are put under; empty at the top of the file. */
  readonly qualifier: string;
  readonly self: Self | null;
  names: Map<string, Draft[]> | null;
}

export type Members = Map<string, Draft>;

export type DraftContent =
  | {
      readonly kind: 'import';
      readonly specifier: number;
      readonly name: string;
      /** Where `require` was called: it counts only when the file does not declare that name itself. */
      readonly required: Scope | null;
    }
  | { readonly kind: 'function' | 'type_alias' | 'enum' | 'method' }
  | { readonly kind: 'variable' | 'property'; readonly value: ts.Expression | null; readonly scope: Scope }
  | {
      readonly kind: 'class';
      readonly heritage: ts.Expression | null;
      readonly scope: Scope;
      readonly members: Members;
      readonly statics: Members;
    }
  | {
      readonly kind: 'interface';
      readonly extends: readonly ts.Expression[];
      readonly scope: Scope;
      readonly members: Members;
    }
  | { readonly kind: 'namespace'; readonly scope: Scope }
  | { readonly kind: 'object'; readonly members: Members }
  /** Shadows what is declared further out, and nothing is known of it: a parameter, a destructured name. */
  | { readonly kind: 'opaque' | 'type_parameter' };

/** A declared name in the making. `group` holds all that is declared under the same name in the same scope. */
export interface Draft {
  readonly content: DraftContent;
  readonly unit: DraftUnit | null;
  group: Draft[];
  /** Its number in the record; negative until something that is kept reaches it. */
  number: number;
}

interface ImportDraft {
  readonly specifier: number;
  readonly via: ImportVia;
  readonly at: number;
  readonly names: readonly string[];
  readonly required: Scope | null;
}

export interface SiteDraft {
  readonly via: SiteVia;
  readonly at: number;
  readonly target: ts.Expression;
  readonly scope: Scope;
}

/** What an exported name stands for: a name of some scope, or something without a name of its own. */
export type ExportDraft = { readonly local: string; readonly scope: Scope } | { readonly draft: Draft };

/** Everything that is gathered while a file is walked. */
export interface FileDraft {
  readonly source: ts.SourceFile;
  readonly text: string;
  readonly units: DraftUnit[];
  readonly specifiers: Map<string, number>;
  readonly imports: ImportDraft[];
  readonly exports: Map<string, ExportDraft>;
  readonly stars: number[];
  readonly sites: SiteDraft[];
  /** Class expressions and object literals, which have no name to be found by. */
  readonly literals: Map<ts.Node, Draft>;
  /** Walks a node; injected, so that the rules of the grammar need not know each other. */
  visit(node: ts.Node, scope: Scope): void;
}

export function newDraft(content: DraftContent, unit: DraftUnit | null = null): Draft {
  const draft: Draft = { content, unit, group: [], number: -1 };
  draft.group.push(draft);
  return draft;
}

/** The number of a module specifier in the record. */
export function specifierNumber(file: FileDraft, specifier: string): number {
  const known = file.specifiers.get(specifier);
  if (known !== undefined) return known;
  const number = file.specifiers.size;
  file.specifiers.set(specifier, number);
  return number;
}
