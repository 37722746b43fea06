/**
 * The few calls that Node lacks, and the process table.
 *
 * library/    the C library through koffi, loaded at the first call that needs it
 * calls/      flock, close-on-exec, poll, _exit, adopting and reaping orphans
 * inotify/    changes in directories, as the kernel tells them (Linux)
 * processes/  who runs, below whom, in which group, with which token, counted as we count (Linux, /proc)
 */
export { setCloseOnExec } from './calls/close-on-exec.ts';
export { exitNow } from './calls/exit.ts';
export { flock, flockSupport, type LockMode } from './calls/flock.ts';
export { isWritable } from './calls/poll.ts';
export { reap } from './calls/reap.ts';
export { becomeSubreaper } from './calls/subreaper.ts';
export type { InotifyEvent } from './inotify/events.ts';
export { IN, type Inotify, openInotify } from './inotify/inotify.ts';
export { PosixUnavailable } from './library/unavailable.ts';
export { isDescendant } from './processes/ancestry.ts';
export { ownChildren } from './processes/children.ts';
export { sharesPids } from './processes/namespace.ts';
export { groupMembers, listProcesses, type ProcessInfo, readProcess } from './processes/table.ts';
export { processesCarrying, processesWithToken } from './processes/token.ts';
