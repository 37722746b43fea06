import type { Command } from '../command/lookup.ts';
import type { Override } from '../environment/child-environment.ts';
import type { Policy } from '../states/context.ts';

/** What one run of woods-watch is to do, resolved and checked. Times in milliseconds. */
export interface Plan {
  /** Resolved with realpath. */
  readonly root: string;
  readonly command: Command;
  readonly policy: Policy;
  readonly graceMs: number;
  readonly inherited: Readonly<Record<string, string | undefined>>;
  readonly overrides: readonly Override[];
}
