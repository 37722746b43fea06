/** Reading `manifest.json`: whatever stands there, the answer is a manifest or a reason. */
import { isObject, parseObject } from '@woods/protocol';
import type { HeldFile } from '../../model.ts';
import { isSegmentName } from './layout.ts';
import { type GitState, MANIFEST_FORMAT, type Manifest, type SegmentEntry, type Totals } from './manifest.ts';

export type DecodedManifest =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; detail: string };

export function decodeManifest(text: string): DecodedManifest {
  const value = parseObject(text);
  if (value === null) return { ok: false, detail: 'it is not a JSON object' };
  if (value.format !== MANIFEST_FORMAT) {
    return { ok: false, detail: `expected format ${MANIFEST_FORMAT}, found ${JSON.stringify(value.format) ?? 'none'}` };
  }
  const totals = decodeTotals(value.totals);
  const segments = Array.isArray(value.segments) ? value.segments.map(decodeEntry) : [null];
  const git = value.git === null ? null : decodeGit(value.git);
  if (
    !isCount(value.generation) ||
    typeof value.reason !== 'string' ||
    typeof value.published_at !== 'string' ||
    typeof value.root !== 'string' ||
    typeof value.config_fingerprint !== 'string' ||
    git === undefined ||
    totals === null ||
    !isCounts(value.counts) ||
    !segments.every((entry) => entry !== null) ||
    !isHeldList(value.held)
  ) {
    return { ok: false, detail: 'a field is missing or of another type' };
  }
  const manifest: Manifest = {
    format: MANIFEST_FORMAT,
    generation: value.generation,
    reason: value.reason,
    publishedAt: value.published_at,
    root: value.root,
    configFingerprint: value.config_fingerprint,
    git,
    counts: Object.entries(value.counts),
    totals,
    segments,
    held: value.held,
  };
  return { ok: true, manifest };
}

/** Null for anything that is not an entry, a name that could leave the directory included. */
export function decodeEntry(value: unknown): SegmentEntry | null {
  if (!isObject(value)) return null;
  const { name, bytes, sha256, bodies_bytes, bodies_sha256 } = value;
  if (typeof name !== 'string' || !isSegmentName(name)) return null;
  if (!isCount(bytes) || !isCount(bodies_bytes) || !isHash(sha256) || !isHash(bodies_sha256)) return null;
  return { name, bytes, sha256, bodiesBytes: bodies_bytes, bodiesSha256: bodies_sha256 };
}

function decodeTotals(value: unknown): Totals | null {
  if (!isObject(value)) return null;
  const { files, skipped, units, edges, source_bytes } = value;
  if (!isCount(files) || !isCount(skipped) || !isCount(units) || !isCount(edges) || !isCount(source_bytes)) return null;
  return { files, skipped, units, edges, sourceBytes: source_bytes };
}

function decodeGit(value: unknown): GitState | undefined {
  if (!isObject(value)) return undefined;
  const { sha, branch, dirty } = value;
  if (typeof sha !== 'string' || typeof dirty !== 'boolean') return undefined;
  if (branch !== null && typeof branch !== 'string') return undefined;
  return { sha, branch, dirty };
}

function isHeldList(value: unknown): value is HeldFile[] {
  return (
    Array.isArray(value) &&
    value.every(
      (held) =>
        isObject(held) &&
        typeof held.path === 'string' &&
        isCount(held.line) &&
        typeof held.reason === 'string' &&
        typeof held.since === 'string',
    )
  );
}

function isCounts(value: unknown): value is { [type: string]: number } {
  return isObject(value) && Object.values(value).every(isCount);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}
