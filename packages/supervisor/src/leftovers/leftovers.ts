import { processesCarrying, sharesPids } from '@woods/posix';
import { deadSupervisors, OUTER_ATTEMPT_PREFIX, probeProcess, type SupervisorStatus, VARIABLE } from '@woods/protocol';
import type { Log } from '../log/log.ts';
import * as lines from '../states/lines.ts';
import { type StopSystem, stopTree } from '../stop/stop-tree.ts';

/** What runs on of supervisors that died together with their guardian. Nothing here throws. */
export interface Leftovers {
  /** A child said that it works on `index`: whether something of a dead supervisor runs there. The next sweep ends it. */
  learn(index: string): boolean;
  /** Ends what is known; null when there is nothing, which takes no time. */
  sweep(): Promise<void> | null;
}

export interface LeftoversOptions {
  readonly host: string;
  readonly graceMs: number;
  readonly system: StopSystem;
  readonly log: Log;
  /** The index that a child of ours would work on by the rule for configurations; null when the rule is broken. */
  readonly usualIndex: () => string | null;
}

/**
 * The tokens of the dead stand in their records beside the index; what they started carries them in its environment. A
 * surviving worker holds the claim of the index, so it has to go before another one is started.
 */
export function openLeftovers(options: LeftoversOptions): Leftovers {
  const indexes = new Set<string>();
  const marks = new Set<string>();

  function note(index: string): void {
    for (const dead of deadSupervisors(index, { host: options.host, probe: probeProcess })) {
      for (const mark of marksOf(dead)) marks.add(mark);
    }
  }

  const running = (): number[] => (marks.size === 0 ? [] : processesCarrying([...marks]).filter(sharesPids));

  async function end(found: readonly number[]): Promise<void> {
    options.log(lines.leftovers(found));
    const system: StopSystem = {
      ...options.system,
      processes: { ...options.system.processes, withToken: running },
      adopted: () => [],
    };
    const impatience = new AbortController().signal;
    const left = await stopTree({ leader: null, token: '', graceMs: options.graceMs, impatience }, system);
    if (left.length > 0) options.log(lines.leftBehind(left));
    marks.clear();
  }

  return {
    learn(index) {
      indexes.add(index);
      note(index);
      return running().length > 0;
    },
    sweep() {
      const usual = options.usualIndex();
      for (const index of usual === null ? indexes : new Set([...indexes, usual])) note(index);
      const found = running();
      if (found.length > 0) return end(found);
      marks.clear();
      return null;
    },
  };
}

/** Entries in the environment of what the dead supervisor started, and of what supervisors below it started. */
function marksOf(dead: SupervisorStatus): string[] {
  return [`${VARIABLE.launcherToken}=${dead.launcher}`, `${OUTER_ATTEMPT_PREFIX}${dead.attempt}=1`];
}
