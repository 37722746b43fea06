import { chmodSync, lstatSync, mkdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { atomicWrite, isTemporaryName } from './atomic-write.ts';
import { isAbandoned } from './read-supervisors.ts';
import { listBounded } from './supervisor-directory.ts';
import {
  encodeSupervisorStatus,
  readSupervisorFile,
  type SupervisorStatus,
  supervisorFileName,
  supervisorsDirectory,
} from './supervisor-status.ts';
import type { LivenessView } from './watch-liveness.ts';

const FILE_MODE = 0o644;
const DIRECTORY_MODE = 0o755;

/** No write takes this long; a temporary file that is older has lost its writer. */
const LOST_TEMPORARY_MS = 600_000;

/**
 * Writes this supervisor's file, making the directory where it is missing. Replaces a torn file under its own name, never
 * the file of another process. Throws Error when there is one or the directory is a link, or the system's error; the
 * caller logs it and goes on.
 */
export function writeSupervisorStatus(indexDir: string, status: SupervisorStatus): void {
  const directory = supervisorsDirectory(indexDir);
  makeDirectory(directory);
  const name = supervisorFileName(status.launcher);
  const present = readSupervisorFile(directory, name);
  if (present.kind === 'ok' && (present.value.pid !== status.pid || present.value.host !== status.host)) {
    const { pid, host } = present.value;
    throw new Error(`expected ${name} to be ours (pid ${status.pid}), found the record of pid ${pid} on ${host}`);
  }
  atomicWrite(join(directory, name), encodeSupervisorStatus(status), { mode: FILE_MODE });
}

/**
 * Removes what dead supervisors left: records that are not alive, older than 30 s, and stopped or of a dead process of
 * this host; and temporary files without a writer. Never touches `own`, what it cannot read, or records of other hosts
 * that did not stop. Returns how many were removed. Throws the system's error when the directory cannot be read.
 */
export function sweepSupervisorFiles(indexDir: string, view: LivenessView & { readonly own: string }): number {
  const directory = supervisorsDirectory(indexDir);
  const listed = listBounded(directory);
  if (listed.kind !== 'ok') return 0;
  const others = listed.names.filter((name) => name !== supervisorFileName(view.own));
  return others.filter((name) => isLeftOver(directory, name, view) && removed(join(directory, name))).length;
}

function isLeftOver(directory: string, name: string, view: LivenessView): boolean {
  if (isTemporaryName(name)) {
    const stats = lstatSync(join(directory, name), { throwIfNoEntry: false });
    return stats?.isFile() === true && view.now - stats.mtimeMs > LOST_TEMPORARY_MS;
  }
  const read = readSupervisorFile(directory, name);
  return read.kind === 'ok' && isAbandoned(read.value, view);
}

function makeDirectory(directory: string): void {
  const stats = lstatSync(directory, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return;
  if (stats !== undefined) throw new Error('expected watch_supervisors to be a directory, found a link or a file');
  mkdirSync(directory);
  chmodSync(directory, DIRECTORY_MODE);
}

function removed(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    // another supervisor swept it first, or we may not: the next one tries again
    return false;
  }
}
