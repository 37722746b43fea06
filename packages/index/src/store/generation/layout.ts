/** Names inside an index directory. */
import { join } from 'node:path';

export const PAYLOADS = 'payloads';
export const MANIFEST = 'manifest.json';
/** A merged segment that waits for the next publish. */
export const MERGE = 'merge';

const GENERATION = /^gen-([1-9][0-9]{0,14})$/;
const SEGMENT = /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/;

export function payloadName(generation: number): string {
  return `${PAYLOADS}/gen-${generation}`;
}

/** The number of a directory inside `payloads`, or null for any other name. */
export function generationOf(name: string): number | null {
  const digits = GENERATION.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Whether a name out of a manifest may become part of a path. */
export function isSegmentName(name: string): boolean {
  return SEGMENT.test(name);
}

export function segmentPath(directory: string, name: string): string {
  return join(directory, `${name}.seg`);
}

export function bodiesPath(directory: string, name: string): string {
  return join(directory, `${name}.bodies`);
}
