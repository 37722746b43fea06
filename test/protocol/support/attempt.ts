/** One attempt of an imagined supervisor, whose root is `/srv/app` and whose child is process 200. */
import { createRecordValidator, type RecordValidator } from '@woods/protocol';

export const LAUNCHER = 'a'.repeat(32);
export const ATTEMPT = 'b'.repeat(32);
export const ROOT = '/srv/app';
export const CHILD = 200;
/** The only live descendant of the child. */
export const DESCENDANT = 300;

export const envelope = { launcher: LAUNCHER, attempt: ATTEMPT, pid: CHILD };

/** Parsed records as a good child sends them. */
export const GOOD = {
  task_loaded: record('task_loaded', { woods_version: '2.0.0' }),
  identity: record('identity', { root: ROOT, index: `${ROOT}/tmp/woods` }),
  backend_ready: record('backend_ready', {}),
  startup: record('startup', { state: 'ready', generation: 3, reason: 'reconciled' }),
  terminal: record('terminal', { reason: 'restart_required' }),
};

export type GoodName = keyof typeof GOOD;

export function record(event: string, fields: Record<string, unknown>): Record<string, unknown> {
  return { version: 1, ...envelope, event, ...fields };
}

export function newValidator(): RecordValidator {
  return createRecordValidator({
    launcher: LAUNCHER,
    attempt: ATTEMPT,
    root: ROOT,
    ownerPid: 100,
    isSender: (pid, childPid) => childPid === CHILD && pid === DESCENDANT,
    realpath: (path) => {
      if (path === '/link/to/app' || path === ROOT) return ROOT;
      if (path === '/srv/other') return path;
      throw new Error('ENOENT');
    },
  });
}

/** A validator that has seen the child being started, and then these of its records. */
export function validatorAfter(...names: GoodName[]): RecordValidator {
  const validator = newValidator();
  validator.owner({ event: 'hello' });
  validator.owner({ event: 'spawned', child_pid: CHILD });
  for (const name of names) {
    const verdict = validator.child(GOOD[name]);
    if (!verdict.ok) throw new Error(`the good record ${name} was refused: ${verdict.detail}`);
  }
  return validator;
}
