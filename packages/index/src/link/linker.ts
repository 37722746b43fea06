import type { Edge } from '../model.ts';
import type { FileRecord, PackageFacts } from '../record/file-record.ts';
import { edgesOf } from './edges.ts';
import { type LinkFile, newLinkFile, type ReadSet, replaceRecord } from './link-file.ts';
import { openPairs, type Pairs } from './pairs.ts';
import { openResolver } from './resolve/resolver.ts';
import { type LinkRun, newRun, readingFor } from './run.ts';
import { workspaceEdgesOf } from './workspace-edges.ts';

/** What differs from what the linker holds. A path is in one of the two. */
interface RecordChanges {
  readonly records: ReadonlyMap<string, FileRecord>;
  readonly removed: Iterable<string>;
}

/**
 * The linker: edges from records. Whatever way the records came in, the edges are the same as if all of them had come in
 * at once.
 */
export interface Linker {
  recordOf(path: string): FileRecord | null;
  edgesOf(path: string): readonly Edge[];
  paths(): Iterable<string>;
  /** Whether a file without a record decided where specifiers lead. */
  reliesOn(path: string): boolean;
  /** Takes the changes in and returns the files whose edges differ now. */
  update(changes: RecordChanges): readonly string[];
}

/**
 * Opens a linker over a first set of records and links all of them. `root` is absolute and real; what the resolver reads
 * there (tsconfig files, installed packages) is taken as it is now, and so is every `package.json` among the records:
 * when one of them changes, open a new linker.
 */
export async function openLinker(root: string, records: Iterable<readonly [string, FileRecord]>): Promise<Linker> {
  const files = new Map<string, LinkFile>();
  for (const [path, record] of records) files.set(path, newLinkFile(path, record));
  const hasFile = (path: string) => files.has(path);
  const resolver = await openResolver({ root, hasFile, packages: packagesOf(files.values()) });
  const pairs = openPairs(resolver);
  for (const file of files.values()) pairs.acquire(file);

  function link(dirty: ReadonlySet<LinkFile>): string[] {
    const run = newRun((file, specifier) => {
      const target = pairs.targetOf(file, specifier);
      return target === null ? null : (files.get(target) ?? null);
    });
    const changed: string[] = [];
    for (const file of dirty) replaceStars(file, run);
    for (const file of dirty) {
      const { value, reads } = readingFor(run, file, () => [
        ...edgesOf(run, file),
        ...workspaceEdgesOf(file, resolver.workspace, hasFile),
      ]);
      replaceReads(file, reads);
      if (!sameEdges(file.edges, value)) changed.push(file.path);
      file.edges = value;
    }
    return changed;
  }

  link(new Set(files.values()));
  return {
    recordOf: (path) => files.get(path)?.record ?? null,
    edgesOf: (path) => files.get(path)?.edges ?? [],
    paths: () => files.keys(),
    reliesOn: resolver.hasRead,
    update(changes) {
      const dirty = takeIn(changes, files, pairs);
      if (dirty.moved.length > 0) resolver.forget();
      for (const file of pairs.resolveAgain(dirty.moved)) markVisible(file, dirty.files);
      return link(dirty.files);
    },
  };
}

function packagesOf(files: Iterable<LinkFile>): [string, PackageFacts][] {
  const packages: [string, PackageFacts][] = [];
  for (const { path, record } of files) if (record.package !== null) packages.push([path, record.package]);
  return packages;
}

/** Files that must be linked again, and the paths that appeared or went. */
interface Dirty {
  readonly files: Set<LinkFile>;
  readonly moved: readonly string[];
}

/** A change that others cannot see stays in its file; any other reaches all that have read the file. */
function takeIn({ records, removed }: RecordChanges, files: Map<string, LinkFile>, pairs: Pairs): Dirty {
  const dirty = new Set<LinkFile>();
  const moved: string[] = [];
  for (const path of removed) {
    const file = files.get(path);
    if (file === undefined) continue;
    files.delete(path);
    moved.push(path);
    markVisible(file, dirty);
    pairs.release(file);
    replaceReads(file, new Map());
    replaceStars(file, null);
    dirty.delete(file);
  }
  for (const [path, record] of records) {
    const known = files.get(path);
    const file = known ?? newLinkFile(path, record);
    if (known === undefined) {
      files.set(path, file);
      moved.push(path);
    } else {
      markReaders(known, record, dirty);
      replaceRecord(known, record);
    }
    pairs.acquire(file);
    dirty.add(file);
  }
  for (const file of dirty) if (files.get(file.path) !== file) dirty.delete(file);
  return { files: dirty, moved };
}

/** All that see the file, for when it comes, goes, or leads somewhere else. */
function markVisible(file: LinkFile, dirty: Set<LinkFile>): void {
  dirty.add(file);
  for (const seen of withStarsAbove(file)) for (const reader of seen.readers.keys()) dirty.add(reader);
}

/** Those that see what differs between the file's record and the new one. */
function markReaders(file: LinkFile, next: FileRecord, dirty: Set<LinkFile>): void {
  if (file.record.shape === next.shape) return;
  if (!sameNames(file.record, next)) markVisible(file, dirty);
  else for (const [reader, glance] of file.readers) if (glance === 'shape') dirty.add(reader);
}

/** The file and all that export, by `export *`, what it exports. */
function withStarsAbove(file: LinkFile): Set<LinkFile> {
  const found = new Set([file]);
  for (const at of found) for (const above of at.starredBy) found.add(above);
  return found;
}

function sameNames(before: FileRecord, after: FileRecord): boolean {
  const names = ({ exports, stars, specifiers }: FileRecord) =>
    JSON.stringify([exports.map(([name]) => name), stars.map((star) => specifiers[star])]);
  return names(before) === names(after);
}

function replaceReads(file: LinkFile, reads: ReadSet): void {
  for (const read of file.reads.keys()) if (!reads.has(read)) read.readers.delete(file);
  for (const [read, glance] of reads) read.readers.set(file, glance);
  file.reads = reads;
}

/** `run` is null for a file that is gone. */
function replaceStars(file: LinkFile, run: LinkRun | null): void {
  for (const star of file.stars) star.starredBy.delete(file);
  const targets = run === null ? [] : file.record.stars.map((star) => run.targetOf(file, star));
  file.stars = targets.filter((target) => target !== null);
  for (const star of file.stars) star.starredBy.add(file);
}

function sameEdges(before: readonly Edge[], after: readonly Edge[]): boolean {
  return before.length === after.length && before.every((edge, index) => sameEdge(edge, after[index]));
}

function sameEdge(one: Edge, other: Edge | undefined): boolean {
  return (
    other !== undefined &&
    one.source === other.source &&
    one.target === other.target &&
    one.via === other.via &&
    one.resolution === other.resolution &&
    one.line === other.line
  );
}
