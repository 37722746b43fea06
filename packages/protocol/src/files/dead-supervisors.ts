import { isTemporaryName } from './atomic-write.ts';
import { listBounded } from './supervisor-directory.ts';
import { readSupervisorFile, type SupervisorStatus, supervisorsDirectory } from './supervisor-status.ts';
import { judgeProcess, type LivenessView } from './watch-liveness.ts';

/** A record that ends with one of these was written in the middle of a supervision; `stopped` with another reason is its end. */
const UNFINISHED = ['attempt_finished', 'supervisor_died'];

/**
 * Records of supervisors of this host that are dead, by pid and start, and did not say that they had ended: what they
 * started may still run. Those of other hosts are not judged. Never throws; what cannot be read says nothing.
 */
export function deadSupervisors(indexDir: string, view: Omit<LivenessView, 'now'>): SupervisorStatus[] {
  const directory = supervisorsDirectory(indexDir);
  return namesIn(directory).flatMap((name) => {
    if (isTemporaryName(name)) return [];
    const read = readSupervisorFile(directory, name);
    return read.kind === 'ok' && isUnfinished(read.value) && isDead(read.value, view) ? [read.value] : [];
  });
}

function namesIn(directory: string): readonly string[] {
  try {
    const listed = listBounded(directory);
    return listed.kind === 'ok' ? listed.names : [];
  } catch {
    return [];
  }
}

function isUnfinished(status: SupervisorStatus): boolean {
  return status.state !== 'stopped' || UNFINISHED.includes(status.reason);
}

function isDead(status: SupervisorStatus, view: Omit<LivenessView, 'now'>): boolean {
  return status.host === view.host && !judgeProcess(status, view.probe).alive;
}
