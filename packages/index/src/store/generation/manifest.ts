/** `manifest.json` of a payload: what the generation is and which segments it is made of. Nothing grows with the index. */
import type { HeldFile } from '../../model.ts';

export const MANIFEST_FORMAT = 1;
/** Held files are the only part without a bound of its own; a manifest beyond this is no manifest. */
export const MANIFEST_MAX_BYTES = 16 * 1024 * 1024;

export interface GitState {
  readonly sha: string;
  readonly branch: string | null;
  readonly dirty: boolean;
}

export interface SegmentEntry {
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of the segment file, hex. */
  readonly sha256: string;
  readonly bodiesBytes: number;
  readonly bodiesSha256: string;
}

export interface Totals {
  /** All files, also those without units because they were skipped. */
  readonly files: number;
  readonly skipped: number;
  readonly units: number;
  readonly edges: number;
  /** Bytes of text in the bodies. */
  readonly sourceBytes: number;
}

export interface Manifest {
  readonly format: number;
  readonly generation: number;
  readonly reason: string;
  /** ISO 8601 UTC. */
  readonly publishedAt: string;
  readonly root: string;
  readonly configFingerprint: string;
  readonly git: GitState | null;
  /** Units by type, types in alphabetical order. */
  readonly counts: readonly (readonly [type: string, units: number])[];
  readonly totals: Totals;
  /** From the oldest to the newest. */
  readonly segments: readonly SegmentEntry[];
  readonly held: readonly HeldFile[];
}

/** Field names on disk are snake case, as in every file of the index directory. */
export function encodeManifest(manifest: Manifest): string {
  const { totals, git } = manifest;
  return `${JSON.stringify(
    {
      format: manifest.format,
      generation: manifest.generation,
      reason: manifest.reason,
      published_at: manifest.publishedAt,
      root: manifest.root,
      config_fingerprint: manifest.configFingerprint,
      git,
      counts: Object.fromEntries(manifest.counts),
      totals: {
        files: totals.files,
        skipped: totals.skipped,
        units: totals.units,
        edges: totals.edges,
        source_bytes: totals.sourceBytes,
      },
      segments: manifest.segments.map(encodeEntry),
      held: manifest.held,
    },
    null,
    1,
  )}\n`;
}

export function encodeEntry(entry: SegmentEntry): { [key: string]: string | number } {
  return {
    name: entry.name,
    bytes: entry.bytes,
    sha256: entry.sha256,
    bodies_bytes: entry.bodiesBytes,
    bodies_sha256: entry.bodiesSha256,
  };
}
