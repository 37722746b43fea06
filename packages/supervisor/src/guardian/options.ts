import type { Clock } from '../clock/clock.ts';

/** How guardians are started. */
export interface GuardianOptions {
  /** The shell and its own arguments, such as `/bin/busybox sh`; where it cannot be run, Node does the same. */
  readonly shell: readonly [string, ...string[]];
  /** From TERM to KILL when it has to end a tree, in milliseconds. */
  readonly graceMs: number;
  /** Start of this supervisor in clock ticks since boot; '' when not known. */
  readonly since: string;
  /** The directory that it removes after us; '' for none. */
  readonly sockets: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** It was stopped by a signal and is waited for. Called once each time. */
  onSuspended(): void;
}
