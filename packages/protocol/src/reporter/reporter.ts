import type { RunMode } from '../names/run-mode.ts';
import { encodeRecord } from '../records/encode.ts';
import type { ChildEvent } from '../records/events.ts';
import { openFdChannel } from './fd-channel.ts';
import { openSocketChannel } from './socket-channel.ts';

/** The child's side of the lifecycle channel. */
export interface Reporter {
  /**
   * Sends one event. A supervisor that is gone is no error. Throws RangeError when the record would be longer than
   * 4,096 bytes, which only root and index paths can cause.
   */
  report(event: ChildEvent): void;
  /** Sends what waits (bounded) and closes the channel; call it before the process ends. Later reports are dropped. */
  close(): Promise<void>;
}

export interface ReporterOptions {
  /** The sender in each record; this process by default. */
  readonly pid?: number;
  /** How long `close` may wait for a slow supervisor, in milliseconds; 1,000 by default. */
  readonly closeTimeoutMs?: number;
}

/**
 * Opens the channel that `mode` names; an unmanaged run reports nothing. Throws UsageError when the descriptor is not
 * open. Once opened, the descriptor belongs to the reporter, which closes it.
 */
export function openReporter(mode: RunMode, options: ReporterOptions = {}): Reporter {
  if (mode.kind === 'unmanaged') return { report: () => {}, close: () => Promise.resolve() };
  const { launcher, attempt, channel } = mode;
  const { pid = process.pid, closeTimeoutMs = 1000 } = options;
  const out = 'socket' in channel ? openSocketChannel(channel.socket) : openFdChannel(channel.fd);
  return {
    report: (event) => out.write(encodeRecord({ launcher, attempt, pid }, event)),
    close: () => out.close(closeTimeoutMs),
  };
}
