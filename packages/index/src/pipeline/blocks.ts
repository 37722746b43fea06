import { posix } from 'node:path';
import type { Edge, FileBlock, SourceInput, Unit } from '../model.ts';
import type { FileRecord, RecordedUnit } from '../record/file-record.ts';

/** What the generation says of a file that has a record. */
export function blockOf(
  input: SourceInput,
  record: FileRecord,
  edges: readonly Edge[],
  source: string | null,
): FileBlock {
  return { input, units: record.units.map((unit) => unitOf(input.path, unit)), edges, source };
}

/** What it says of a file that has none. */
export function emptyBlock(input: SourceInput): FileBlock {
  return { input, units: [], edges: [], source: null };
}

function unitOf(path: string, unit: RecordedUnit): Unit {
  const [start, end, startLine, endLine] = unit.span;
  return {
    identifier: unit.key === '' ? path : `${path}#${unit.key}`,
    type: unit.type,
    name: unit.name === '' ? nameFromPath(path) : unit.name,
    namespace: unit.namespace,
    span: { start, end, startLine, endLine },
    signature: unit.signature,
    doc: unit.doc,
    metadata: unit.metadata,
    contentHash: unit.hash,
  };
}

/** A module is called like its file without extensions, a nameless package like its directory. */
function nameFromPath(path: string): string {
  const base = posix.basename(path);
  if (base === 'package.json') return posix.basename(posix.dirname(path));
  return base.replace(/(?:\.d)?\.[^.]+$/, '') || base;
}
