import { printable, quote } from '../values/quote.ts';
import { isTemporaryName } from './atomic-write.ts';
import { type DirectoryNames, listBounded } from './supervisor-directory.ts';
import { readSupervisorFile, type SupervisorStatus, supervisorsDirectory } from './supervisor-status.ts';
import { judgeProcess, type Liveness, type LivenessView, watchLiveness } from './watch-liveness.ts';
import { readWatchStatus, type WatchStatus } from './watch-status.ts';

const MAX_RECORDS = 32;

/** A supervisor writes every 5 s; clocks may differ a little. */
const MAX_AGE_MS = 30_000;

export interface SupervisorRecord {
  readonly status: SupervisorStatus;
  readonly alive: boolean;
  /** `alive` or `suspended`, or the one thing that speaks against it; `stale` also for a time too far ahead. */
  readonly verdict: Liveness['reason'];
  /** Alive, and its child is the worker that keeps this index now. */
  readonly activeChild: boolean;
}

export interface SupervisorsRead {
  /** Live ones first, then the newest first; at most 32. */
  readonly records: readonly SupervisorRecord[];
  /** There were more names or records than are looked at. */
  readonly truncated: boolean;
  /** One line a file that could not be believed. */
  readonly problems: readonly string[];
}

/** The supervisors of an index, as far as their files can be believed. Never throws, whatever lies there. */
export function readSupervisors(indexDir: string, view: LivenessView): SupervisorsRead {
  const directory = supervisorsDirectory(indexDir);
  const listed = listOrRefuse(directory);
  if (listed.kind === 'missing') return { records: [], truncated: false, problems: [] };
  if (listed.kind === 'refused') return { records: [], truncated: false, problems: [listed.detail] };
  const worker = liveWorker(indexDir, view);
  const records: SupervisorRecord[] = [];
  const problems: string[] = [];
  for (const name of listed.names) {
    if (isTemporaryName(name)) continue;
    const read = readSupervisorFile(directory, name);
    // a file that went away since the listing is no problem: its owner has ended
    if (read.kind === 'corrupt') problems.push(printable(`${quote(name)}: ${read.detail}`));
    if (read.kind === 'ok') records.push(judgeSupervisor(read.value, worker, view));
  }
  records.sort(liveThenNewest);
  return {
    records: records.slice(0, MAX_RECORDS),
    truncated: listed.truncated || records.length > MAX_RECORDS,
    problems,
  };
}

/** Whether the supervisor that wrote `status` is there; `worker` is the live worker of the index on this host, if any. */
function judgeSupervisor(
  status: SupervisorStatus,
  worker: Pick<WatchStatus, 'pid'> | null,
  view: LivenessView,
): SupervisorRecord {
  const { alive, reason } = supervisorLiveness(status, view);
  const activeChild = alive && worker !== null && worker.pid === status.child_pid;
  return { status, alive, verdict: reason, activeChild };
}

function supervisorLiveness(status: SupervisorStatus, view: LivenessView): Liveness {
  if (status.state === 'stopped') return { alive: false, reason: 'stopped' };
  if (Math.abs(ageOf(status, view)) > MAX_AGE_MS) return { alive: false, reason: 'stale' };
  if (status.host !== view.host) return { alive: false, reason: 'foreign_host' };
  return judgeProcess(status, view.probe);
}

/** Whether another supervisor's record may be removed: nobody will ever write it again, or miss it. */
export function isAbandoned(status: SupervisorStatus, view: LivenessView): boolean {
  if (judgeSupervisor(status, null, view).alive || ageOf(status, view) <= MAX_AGE_MS) return false;
  if (status.state === 'stopped') return true;
  return status.host === view.host && !judgeProcess(status, view.probe).alive;
}

function ageOf(status: SupervisorStatus, view: LivenessView): number {
  return view.now - Date.parse(status.updated_at);
}

function liveWorker(indexDir: string, view: LivenessView): WatchStatus | null {
  const read = readWatchStatus(indexDir);
  if (read.kind !== 'ok') return null;
  return watchLiveness(read.value, { ...view, trustForeignHost: false }).alive ? read.value : null;
}

function liveThenNewest(a: SupervisorRecord, b: SupervisorRecord): number {
  if (a.alive !== b.alive) return a.alive ? -1 : 1;
  return Date.parse(b.status.updated_at) - Date.parse(a.status.updated_at);
}

function listOrRefuse(directory: string): DirectoryNames {
  try {
    return listBounded(directory);
  } catch (error) {
    return { kind: 'refused', detail: printable(`watch_supervisors cannot be read: ${String(error)}`) };
  }
}
