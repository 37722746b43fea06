/** Files as segments keep them, from blocks and back. */
import type { Edge, FileBlock, Unit } from '../../model.ts';

import { edgesOfFile, sourceInputOf, unitsOfFile } from './rows.ts';
import type { Segment } from './segment.ts';
import type { SegmentFile } from './segment-file.ts';

export function segmentFileOfBlock({ input, units, edges, source }: FileBlock): SegmentFile {
  return { input, units, edges, bodyBytes: source === null ? null : Buffer.byteLength(source) };
}

/**
 * The block of a file without its text. A segment of a later version may hold words for types and edges that this one
 * has no type for; they are handed on as they are, so that a merge loses nothing.
 */
export function blockOfFile(segment: Segment, file: number): Omit<FileBlock, 'source'> {
  return {
    input: sourceInputOf(segment, file),
    // The words come from a recorder of this or a later version, see above.
    units: unitsOfFile(segment, file) as Unit[],
    edges: edgesOfBlock(segment, file),
  };
}

/** The edges of such a block. */
export function edgesOfBlock(segment: Segment, file: number): Edge[] {
  // The words come from a linker of this or a later version, see above.
  return edgesOfFile(segment, file) as Edge[];
}
