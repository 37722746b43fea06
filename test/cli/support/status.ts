/** Status files as workers and supervisors would have written them. */
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  processStart,
  type SupervisorStatus,
  type WatchStatus,
  writeSupervisorStatus,
  writeWatchStatus,
} from '@woods/protocol';

/** A running worker that is this very process, changed by `over`. */
export function writeWorker(root: string, over: Partial<WatchStatus> = {}): void {
  const indexDir = indexOf(root);
  mkdirSync(indexDir, { recursive: true });
  writeWatchStatus(indexDir, {
    state: 'running',
    reason: null,
    generation: 1,
    pid: process.pid,
    pid_started: processStart(process.pid),
    host: hostname(),
    updated_at: new Date().toISOString(),
    ...over,
  });
}

/** A ready supervisor that is this very process, changed by `over`. */
export function writeSupervisor(root: string, over: Partial<SupervisorStatus> = {}): void {
  const indexDir = indexOf(root);
  mkdirSync(indexDir, { recursive: true });
  writeSupervisorStatus(indexDir, {
    version: 1,
    launcher: 'a'.repeat(32),
    pid: process.pid,
    pid_started: processStart(process.pid),
    host: hostname(),
    updated_at: new Date().toISOString(),
    state: 'ready',
    reason: 'reconciled',
    attempt: 'b'.repeat(32),
    child_pid: process.pid,
    ...over,
  });
}

export function indexOf(root: string): string {
  return join(root, 'tmp/woods');
}

export function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}
