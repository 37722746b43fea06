/** The lifecycle records of this run, in the order that the protocol wants whatever happens when. */
import { type ChildEvent, openReporter, type RunMode, type TerminalReason } from '@woods/protocol';
import { type Condition, startupRecord } from '../status/condition.ts';

export interface Records {
  taskLoaded(version: string): void;
  identity(root: string, index: string): void;
  backendReady(): void;
  /** Told once caught up, and again whenever state or reason change. */
  condition(condition: Condition): void;
  /** The last one; whatever comes later is not sent. */
  terminal(reason: TerminalReason): void;
  close(): Promise<void>;
}

/** Throws UsageError when the channel that the environment names cannot be opened. */
export function openRecords(mode: RunMode, reporter = openReporter(mode)): Records {
  let ready = false;
  let over = false;
  let told = '';
  const report = (event: ChildEvent): void => {
    if (!over) reporter.report(event);
  };
  return {
    taskLoaded: (version) => report({ event: 'task_loaded', woods_version: version }),
    identity: (root, index) => report({ event: 'identity', root, index }),
    backendReady: () => {
      report({ event: 'backend_ready' });
      ready = true;
    },
    condition: (condition) => {
      if (!ready || condition.trouble?.reason === 'catching_up') return;
      const record = startupRecord(condition);
      if (told === record.reason) return;
      told = record.reason;
      report(record);
    },
    terminal: (reason) => {
      report({ event: 'terminal', reason });
      over = true;
    },
    close: () => {
      over = true;
      return reporter.close();
    },
  };
}
