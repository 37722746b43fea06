/**
 * What one file says, as plain JSON. A record depends on the file's bytes, its language and the extractor alone, never on
 * its path: what depends on the path is derived when files are linked. Names from user code are never object keys, since
 * a member called `toJSON` or `__proto__` breaks an object: tables are arrays of [name, number].
 */
import type { JsonValue, UnitType, Via } from '../model.ts';

export type Language = 'typescript' | 'tsx' | 'javascript' | 'jsx' | 'package';

/** Names with the number of the declaration that each stands for, in the file's `declarations`. */
export type Table = readonly (readonly [name: string, declaration: number])[];

/**
 * What an expression stands for, as far as it can be followed. A number is a declaration of the same file.
 * `this` is an instance of that class (or that object literal), `super` an instance of its superclass, `super static`
 * the superclass itself, `new` an instance of what the expression stands for, `module` all exports of that specifier.
 */
export type Expression =
  | number
  | readonly ['.', Expression, string]
  | readonly ['this', number]
  | readonly ['super', number]
  | readonly ['super static', number]
  | readonly ['new', Expression]
  | readonly ['module', number];

/**
 * A name that the file declares. `unit` is the unit that stands for it; `also` are further declarations under the same
 * name (an interface beside a class, a namespace beside a function, a type beside a value).
 */
export type Declaration = { readonly unit?: number; readonly also?: readonly number[] } & (
  | { readonly kind: 'import'; readonly specifier: number; readonly name: string }
  | { readonly kind: 'function' | 'type_alias' | 'enum' | 'method' }
  | { readonly kind: 'variable' | 'property'; readonly value?: Expression }
  | { readonly kind: 'class'; readonly heritage?: Expression; readonly members: Table; readonly statics: Table }
  | { readonly kind: 'interface'; readonly extends?: readonly Expression[]; readonly members: Table }
  | { readonly kind: 'namespace' | 'object'; readonly members: Table }
);

/** An imported name `*` is the module's namespace. */
export const NAMESPACE = '*';

/** What `export =` exports under; no identifier can be called that. */
export const EXPORT_EQUALS = 'export=';

export type ImportVia = Extract<Via, 'import' | 'type_import' | 'dynamic_import' | 're_export' | 'require'>;

/** One statement or call that names another module, with the names that it takes from there. */
export type ImportRow = readonly [specifier: number, via: ImportVia, line: number, names: readonly string[]];

export type SiteVia = Extract<Via, 'call' | 'new' | 'extends' | 'implements'>;

/** A place in a unit that refers to a declaration, perhaps of another file. */
export type Site = readonly [via: SiteVia, unit: number, line: number, target: Expression];

/** Bytes, end exclusive; lines 1-based, end inclusive. */
export type SpanRow = readonly [start: number, end: number, startLine: number, endLine: number];

/** `key` is the qualified name made unique in the file; empty for the unit that stands for the whole file. */
export interface RecordedUnit {
  readonly type: UnitType;
  readonly name: string;
  readonly key: string;
  readonly namespace: string | null;
  readonly span: SpanRow;
  readonly signature: string;
  readonly doc: string | null;
  readonly hash: string;
  readonly metadata: { readonly [key: string]: JsonValue };
}

/** What a `package.json` says to those who resolve or depend on the package. */
export interface PackageFacts {
  readonly name: string | null;
  /** What the package offers: subpath (`.`, `./sub`, `./*`) and a target below the package, in order of preference. */
  readonly entries: readonly (readonly [subpath: string, target: string])[];
  readonly dependencies: readonly (readonly [name: string, range: string, line: number])[];
}

export interface ParseError {
  readonly line: number;
  readonly message: string;
}

export interface FileRecord {
  readonly language: Language;
  readonly bytes: number;
  readonly lines: number;
  readonly specifiers: readonly string[];
  readonly imports: readonly ImportRow[];
  readonly exports: Table;
  /** Specifiers of `export * from`. */
  readonly stars: readonly number[];
  /** The first one stands for the whole file. */
  readonly units: readonly RecordedUnit[];
  readonly declarations: readonly Declaration[];
  readonly sites: readonly Site[];
  /** Digest of all that other files can see of this one: exports and what they reach, without lines, spans and sites. */
  readonly shape: string;
  readonly errors: readonly ParseError[];
  readonly package: PackageFacts | null;
}
