/** Validation of a published generation: everything that a reader relies on is looked at; nothing is repaired. */
import { isDeepStrictEqual } from 'node:util';
import { readPointer } from '@woods/protocol';
import { messageOf } from '../errors.ts';
import { currentPointer, payloadDirOf, readManifest } from '../store/generation/load.ts';
import type { Manifest } from '../store/generation/manifest.ts';
import { viewOfSegments } from '../store/segment/build-view.ts';
import { checkBodiesFile, checkBodyRanges, checkSegmentFile } from './artifacts.ts';
import { createFindings, type Findings } from './findings.ts';
import { checkCounts, checkTombstones, checkUnits } from './rows.ts';

export interface Validation {
  /** One line each; empty when the generation is whole. */
  readonly findings: string[];
  /** Null when the pointer cannot be read. */
  readonly generation: number | null;
}

const ATTEMPTS = 5;

/** Never throws for anything that it can meet in the index directory: that is a finding. */
export function validateIndex(indexDir: string): Validation {
  for (let attempt = 1; ; attempt += 1) {
    const before = readPointer(indexDir);
    const validation = validateOnce(indexDir);
    // A payload that is pruned while it is looked at has findings that are none.
    if (validation.findings.length === 0 || attempt === ATTEMPTS) return validation;
    if (isDeepStrictEqual(before, readPointer(indexDir))) return validation;
  }
}

function validateOnce(indexDir: string): Validation {
  const findings = createFindings();
  let generation: number | null = null;
  try {
    const pointer = currentPointer(indexDir);
    generation = pointer.number;
    const payloadDir = payloadDirOf(indexDir, pointer);
    const manifest = readManifest(payloadDir);
    if (manifest.generation !== pointer.number) {
      findings.add(`the pointer names generation ${pointer.number}, its manifest says ${manifest.generation}`);
    }
    checkSegments(payloadDir, manifest, findings);
  } catch (error) {
    findings.add(messageOf(error));
  }
  return { findings: findings.list(), generation };
}

function checkSegments(payloadDir: string, manifest: Manifest, findings: Findings): void {
  const segments = manifest.segments.map((entry) => {
    checkBodiesFile(payloadDir, entry, findings);
    const segment = checkSegmentFile(payloadDir, entry, findings);
    if (segment !== null) checkBodyRanges(segment, entry, findings);
    return segment;
  });
  const whole = segments.filter((segment) => segment !== null);
  // Without one of them every edge into it would be a finding, and none of them news.
  if (whole.length < segments.length) return;
  const view = viewOfSegments(whole);
  checkUnits(view, findings);
  checkTombstones(view, findings);
  checkCounts(view, manifest, findings);
}
