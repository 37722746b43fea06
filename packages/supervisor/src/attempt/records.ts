import { type ChildEvent, createRecordValidator, type OwnerEvent } from '@woods/protocol';
import type { Event } from '../states/event.ts';

/** Turns what is said about an attempt into events, after the protocol's validator has let it pass. */
export interface Records {
  child(value: unknown): void;
  refuse(refusal: { reason: string; detail: string }): void;
  /** Our own word, so that the child's is judged against what really happened. */
  owner(event: OwnerEvent): void;
}

export function judgeRecords(attempt: {
  launcher: string;
  attempt: string;
  root: string;
  /** Whether `pid` is a live descendant of the child. */
  isSender: (pid: number, childPid: number) => boolean;
  emit: (event: Event) => void;
}): Records {
  const validator = createRecordValidator({ ...attempt, ownerPid: process.pid });
  let compatible = true;

  function refuse(refusal: { reason: string; detail: string }): void {
    if (!compatible) return;
    compatible = false;
    attempt.emit({ name: 'refused', reason: refusal.reason, detail: refusal.detail });
  }

  return {
    child(value) {
      if (!compatible) return;
      const verdict = validator.child(value);
      if (verdict.ok) attempt.emit(translate(verdict.event));
      else refuse(verdict);
    },
    refuse,
    owner(event) {
      const verdict = validator.owner(event);
      if (!verdict.ok) refuse(verdict);
    },
  };
}

function translate(record: ChildEvent): Event {
  switch (record.event) {
    case 'task_loaded':
      return { name: 'task_loaded', woodsVersion: record.woods_version };
    case 'identity':
      return { name: 'identity', index: record.index };
    case 'backend_ready':
      return { name: 'backend_ready' };
    case 'startup':
      return { name: 'startup', state: record.state, generation: record.generation, reason: record.reason };
    case 'terminal':
      return { name: 'terminal', reason: record.reason };
  }
}
