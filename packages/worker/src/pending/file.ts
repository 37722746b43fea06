/**
 * `watch_pending.json`: what one worker owes and the next one does first. Written when a run could not be done or the
 * worker stops, not before every run: what a killed worker had in its hands is found by the next catch-up.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { atomicWrite, boundedRead, parseObject } from '@woods/protocol';
import {
  isNothingPending,
  MAX_PENDING_BYTES,
  NOTHING_PENDING,
  type Pending,
  pendingPaths,
  WHOLE_TREE_PENDING,
} from './pending.ts';

const FILE_NAME = 'watch_pending.json';
const VERSION = 1;
/** JSON spells a byte with six at most (`\u0001`), and each path has quotes and a comma. */
const MAX_FILE_BYTES = 8 * MAX_PENDING_BYTES;

/** Nothing for a missing file; the whole tree for one that cannot be read or understood. */
export function loadPending(indexDir: string): Pending {
  const read = boundedRead(join(indexDir, FILE_NAME), MAX_FILE_BYTES);
  if (read.ok) return decodePending(read.text);
  return read.reason === 'missing' ? NOTHING_PENDING : WHOLE_TREE_PENDING;
}

/** Removes the file when nothing is owed. Throws what the file system throws. */
export function savePending(indexDir: string, pending: Pending): void {
  const path = join(indexDir, FILE_NAME);
  if (isNothingPending(pending)) rmSync(path, { force: true });
  else atomicWrite(path, encodePending(pending), { mode: 0o600 });
}

export function encodePending(pending: Pending): string {
  return `${JSON.stringify({ version: VERSION, whole_tree: pending.wholeTree, paths: [...pending.paths] })}\n`;
}

export function decodePending(text: string): Pending {
  const { version, whole_tree: wholeTree, paths } = parseObject(text) ?? {};
  const understood = version === VERSION && wholeTree === false && Array.isArray(paths) && paths.every(isRelativePath);
  return understood ? pendingPaths(paths) : WHOLE_TREE_PENDING;
}

function isRelativePath(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.startsWith('/') && !value.split('/').includes('..');
}
