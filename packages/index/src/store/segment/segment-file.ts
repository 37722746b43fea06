/** What goes into a segment, in the order in which it goes. */
import type { Edge, SourceInput, Unit } from '../../model.ts';

/** A file as a segment keeps it: its text goes into the bodies file, only its length in bytes is known here. */
export interface SegmentFile {
  readonly input: SourceInput;
  readonly units: readonly Unit[];
  readonly edges: readonly Edge[];
  readonly bodyBytes: number | null;
}

/**
 * By the bytes of their paths, the order in which a reader's binary search compares. Throws a TypeError for two files of
 * one path.
 */
export function sortedByPath(files: Iterable<SegmentFile>): SegmentFile[] {
  const keyed = [...files].map((file) => ({ file, key: Buffer.from(file.input.path) }));
  keyed.sort((a, b) => Buffer.compare(a.key, b.key));
  for (let at = 1; at < keyed.length; at += 1) {
    const [before, here] = [keyed[at - 1], keyed[at]];
    if (before !== undefined && here !== undefined && before.key.equals(here.key)) {
      throw new TypeError(`two blocks for the file ${here.file.input.path}`);
    }
  }
  return keyed.map(({ file }) => file);
}

/** Throws a TypeError for an identifier that is not unique or not of its file. */
export function numberUnits(files: readonly SegmentFile[]): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { input, units } of files) {
    for (const { identifier } of units) {
      if (numbers.has(identifier)) throw new TypeError(`two units are called ${identifier}`);
      if (identifier !== input.path && !identifier.startsWith(`${input.path}#`)) {
        throw new TypeError(`the unit ${identifier} is not named after its file ${input.path}`);
      }
      numbers.set(identifier, numbers.size);
    }
  }
  return numbers;
}
