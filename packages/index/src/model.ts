/** The words of the index: what a file becomes between recording, linking, publishing and reading. */

/** Kinds of units that this version produces; readers must expect more. */
export type UnitType =
  | 'module'
  | 'class'
  | 'method'
  | 'function'
  | 'interface'
  | 'type_alias'
  | 'enum'
  | 'variable'
  | 'test_suite'
  | 'package'
  | 'script';

/** How an edge came about in the source. */
export type Via =
  | 'import'
  | 'type_import'
  | 'dynamic_import'
  | 're_export'
  | 'require'
  | 'call'
  | 'new'
  | 'extends'
  | 'implements'
  | 'tests'
  | 'workspace_dependency'
  | 'code_reference';

/** How the target of an edge was found; `name` is a guess by a unique name and no default answer counts it. */
export type Resolution = 'import' | 'scope' | 'declared' | 'inferred' | 'checker' | 'name';

/** Offsets are UTF-8 bytes from the start of the file, end exclusive; lines are 1-based, end inclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export interface Unit {
  /** `<relative path>#<qualified name>`; a module is the bare relative path. Unique in a generation. */
  readonly identifier: string;
  readonly type: UnitType;
  readonly name: string;
  readonly namespace: string | null;
  readonly span: Span;
  readonly signature: string;
  readonly doc: string | null;
  readonly metadata: { readonly [key: string]: JsonValue };
  /** First 16 hex digits of the SHA-256 of the unit's source text. */
  readonly contentHash: string;
}

/** From a unit of the file that owns it to a unit anywhere in the tree; targets are identifiers, never numbers. */
export interface Edge {
  readonly source: string;
  readonly target: string;
  readonly via: Via;
  readonly resolution: Resolution;
  /** 1-based line in the source file. */
  readonly line: number;
}

/** What is known of one file on disk: enough to tell at the next start whether it changed. */
export interface SourceInput {
  /** Root-relative, `/`-separated, UTF-8. */
  readonly path: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly ino: bigint;
  /** SHA-256 of the bytes, hex; null when the file was never read. */
  readonly hash: string | null;
  readonly language: string | null;
  /** Why the file has no units: too large, binary, unreadable, not UTF-8 …; null when it was indexed. */
  readonly skipped: string | null;
}

/** A file whose last good record is kept because it does not parse now. */
export interface HeldFile {
  readonly path: string;
  readonly line: number;
  readonly reason: string;
  /** ISO 8601 UTC. */
  readonly since: string;
}

/** Everything that a generation says of one file; the newest block of a path wins. */
export interface FileBlock {
  readonly input: SourceInput;
  readonly units: readonly Unit[];
  readonly edges: readonly Edge[];
  /** The file's text for `bodies`; null for skipped files. */
  readonly source: string | null;
}
