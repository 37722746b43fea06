/** Whether the files of a generation are the ones that were published. */
import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { messageOf } from '../errors.ts';
import { openRegular, readExactly } from '../store/generation/files.ts';
import { bodiesPath, segmentPath } from '../store/generation/layout.ts';
import type { SegmentEntry } from '../store/generation/manifest.ts';
import { bodyRangeOf, sourceInputOf } from '../store/segment/rows.ts';
import { openSegment, type Segment } from '../store/segment/segment.ts';
import { findStructureFault } from '../store/segment/structure.ts';
import type { Findings } from './findings.ts';

const CHUNK_BYTES = 1024 * 1024;

/** The segment as it stands on disk, or null when it cannot be read. */
export function checkSegmentFile(payloadDir: string, entry: SegmentEntry, findings: Findings): Segment | null {
  const path = segmentPath(payloadDir, entry.name);
  try {
    const file = readExactly(path, entry.bytes);
    const sha256 = createHash('sha256').update(new Uint8Array(file)).digest('hex');
    if (sha256 !== entry.sha256) findings.add(`${path}: its SHA-256 is not the one in the manifest`);
    const segment = openSegment(file, entry.name);
    const fault = findStructureFault(segment.header, segment.columns);
    if (fault === null) return segment;
    findings.add(`${path}: ${fault}`);
    return null;
  } catch (error) {
    findings.add(messageOf(error));
    return null;
  }
}

export function checkBodiesFile(payloadDir: string, entry: SegmentEntry, findings: Findings): void {
  const path = bodiesPath(payloadDir, entry.name);
  try {
    const found = hashFile(path);
    if (found.bytes !== entry.bodiesBytes) {
      findings.add(`${path}: expected ${entry.bodiesBytes} bytes, found ${found.bytes}`);
    } else if (found.sha256 !== entry.bodiesSha256) {
      findings.add(`${path}: its SHA-256 is not the one in the manifest`);
    }
  } catch (error) {
    findings.add(messageOf(error));
  }
}

/** Texts lie inside the bodies file, and each is as long as its file was. */
export function checkBodyRanges(segment: Segment, entry: SegmentEntry, findings: Findings): void {
  for (let file = 0; file < segment.header.counts.file; file += 1) {
    const range = bodyRangeOf(segment, file);
    if (range === null) continue;
    const { path, size } = sourceInputOf(segment, file);
    if (range.offset + range.bytes > entry.bodiesBytes)
      findings.add(`${path}: its text lies outside ${entry.name}.bodies`);
    if (range.bytes !== size) findings.add(`${path}: its text has ${range.bytes} bytes, the file had ${size}`);
  }
}

function hashFile(path: string): { bytes: number; sha256: string } {
  const fd = openRegular(path);
  try {
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let bytes = 0;
    for (;;) {
      const count = readSync(fd, chunk, 0, chunk.length, null);
      if (count === 0) return { bytes, sha256: hash.digest('hex') };
      hash.update(chunk.subarray(0, count));
      bytes += count;
    }
  } finally {
    closeSync(fd);
  }
}
