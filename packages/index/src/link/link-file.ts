import type { Edge } from '../model.ts';
import type { Declaration, FileRecord } from '../record/file-record.ts';

/**
 * One directory and specifier: all files of the directory that name it share the answer. `target` is the path of a file
 * of the index; null when it leads to none, undefined when nobody asked yet.
 */
export interface Pair {
  readonly directory: string;
  readonly specifier: string;
  target: string | null | undefined;
  readonly users: Set<LinkFile>;
}

/** A file as the linker holds it: one object as long as its path is there, whatever becomes of its contents. */
export interface LinkFile {
  readonly path: string;
  /** Root-relative; empty for the root. */
  readonly directory: string;
  record: FileRecord;
  /** By specifier number. */
  pairs: readonly Pair[];
  /** Exported names with their declarations, made when first asked for. */
  exportIndex: ReadonlyMap<string, number> | null;
  /** By declaration number, made when first asked for. */
  definitions: (Definition | undefined)[];
  /** By unit number, made when first asked for. */
  identifiers: (string | undefined)[];
  edges: readonly Edge[];
  /**
   * Every file that linking this one consulted, itself included, also where it found nothing. Files that were only passed
   * through by `export *` are left out: their changes come by `starredBy`.
   */
  reads: ReadSet;
  /** The files that consulted this one. */
  readonly readers: Map<LinkFile, Glance>;
  /** Where the `export *` of this file lead. */
  stars: readonly LinkFile[];
  /** The files whose `export *` lead here. */
  readonly starredBy: Set<LinkFile>;
}

/** How much of another file was looked at: only which names it exports, or its whole shape. */
export type Glance = 'names' | 'shape';

export type ReadSet = ReadonlyMap<LinkFile, Glance>;

/** A declaration together with the file whose numbers it speaks in. */
export interface Definition {
  readonly file: LinkFile;
  readonly declaration: Declaration;
}

export function newLinkFile(path: string, record: FileRecord): LinkFile {
  return {
    path,
    directory: path.slice(0, Math.max(0, path.lastIndexOf('/'))),
    record,
    pairs: [],
    exportIndex: null,
    definitions: [],
    identifiers: [],
    edges: [],
    reads: new Map(),
    readers: new Map(),
    stars: [],
    starredBy: new Set(),
  };
}

export function replaceRecord(file: LinkFile, record: FileRecord): void {
  file.record = record;
  file.exportIndex = null;
  file.definitions = [];
  file.identifiers = [];
}

/** The declaration that the file itself exports under the name; null when it is none of its own. */
export function exportedDefinition(file: LinkFile, name: string): Definition | null {
  file.exportIndex ??= new Map(file.record.exports);
  const number = file.exportIndex.get(name);
  return number === undefined ? null : definitionAt(file, number);
}

/** Declarations are compared by identity while linking, so each has one definition. */
export function definitionAt(file: LinkFile, number: number): Definition | null {
  const known = file.definitions[number];
  if (known !== undefined) return known;
  const declaration = file.record.declarations[number];
  if (declaration === undefined) return null;
  const definition: Definition = { file, declaration };
  file.definitions[number] = definition;
  return definition;
}

/** The identifier of a unit by its number; the unit that stands for the file is the bare path. */
export function identifierAt(file: LinkFile, unit: number): string {
  const known = file.identifiers[unit];
  if (known !== undefined) return known;
  const key = file.record.units[unit]?.key ?? '';
  const identifier = key === '' ? file.path : `${file.path}#${key}`;
  file.identifiers[unit] = identifier;
  return identifier;
}

/** The unit that stands for a declaration; null when none does. */
export function unitOf({ file, declaration }: Definition): string | null {
  return declaration.unit === undefined ? null : identifierAt(file, declaration.unit);
}
