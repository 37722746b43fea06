/**
 * One cycle: what changed → class → run → publish → condition. Cycles never overlap; what cannot be done now is owed
 * and folded into the next one. A cycle that ends degraded is over: the next event or the next retry goes on from there.
 */
import type { RunResult } from '@woods/index';
import type { Pointer } from '@woods/protocol';
import { mergePending, NOTHING_PENDING, type Pending } from '../pending/pending.ts';
import { type Changes, NO_CHANGES, sortChanges } from '../policy/sort.ts';
import { type Condition, heldTrouble, type Trouble } from '../status/condition.ts';
import { attemptRun, sameGeneration } from './attempt.ts';
import type { Collaborators } from './collaborators.ts';
import { owedFor, owedIfLeft } from './owed.ts';
import { planRun, type Run } from './plan.ts';
import { openStanding } from './standing.ts';
import { files, named, whyVerify } from './words.ts';

export interface CycleResult {
  /** `restart`: this process has to be started again; nothing was run. */
  readonly action: 'none' | 'update' | 'verify' | 'restart';
  readonly state: 'running' | 'degraded';
  /** Published generation after the cycle; null: none yet. */
  readonly generation: number | null;
  /** Files that the cycle was about. */
  readonly count: number;
  readonly durationMs: number;
}

export interface Daemon {
  /** One whole cycle over these root-relative files; for a host that owns its loop. */
  process(paths: Iterable<string>): Promise<CycleResult>;
  cycle(changes: Changes): Promise<CycleResult>;
  /** The first cycle: compares the tree with the index, unless that is switched off, and the boot capture with the disk. */
  start(): Promise<CycleResult>;
  /** Goes on with what is owed, although nothing happened. */
  retry(): Promise<CycleResult>;
  /** Something outside of the cycles keeps the worker from its work. */
  fail(trouble: Trouble): void;
  /** For the end of the process: keeps what is owed, what is being worked on and `unseen` for the next one. */
  leave(unseen: Changes): void;
  condition(): Condition;
}

export interface DaemonStart {
  readonly pending: Pending;
  readonly pointer: Pointer | null;
  /** `off`: never `ready`, since nobody knows what changed while nothing ran. */
  readonly catchUp: 'on' | 'off';
}

const CATCH_UP_OFF: Trouble = {
  reason: 'catch_up_disabled',
  message: 'WOODS_WATCH_CATCH_UP=0: what changed while no worker ran is not in the index',
};

export function createDaemon(parts: Collaborators, start: DaemonStart): Daemon {
  const standing = openStanding(parts, {
    pending: start.pending,
    generation: start.pointer?.number ?? null,
    baseline: start.catchUp === 'off' ? CATCH_UP_OFF : null,
  });
  let inHand = NOTHING_PENDING;
  let ours = start.pointer;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn(work: () => Promise<CycleResult>): Promise<CycleResult> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  async function cycle(changes: Changes, trigger: 'event' | 'retry'): Promise<CycleResult> {
    const began = parts.now();
    const sorted = sortChanges(changes, parts.learned);
    if (!parts.owned()) return restart('the index directory was removed or taken over', changes, began);
    const captured = await parts.bootFiles.changed(sorted.restart, sorted.directories);
    if (captured.length > 0) return restart(`${named(captured)} changed`, changes, began);
    const plan = planRun({
      sorted,
      pending: standing.pending(),
      held: standing.condition().held.map(({ path }) => path),
      trigger,
      fullThreshold: parts.fullThreshold,
      pointer: sameGeneration(ours, parts.pointer()) ? 'ours' : 'moved',
    });
    return plan.kind === 'none' ? result('none', 0, began) : perform(plan, began);
  }

  /** Nobody hears of its outcome before the boot capture is compared too: covered is covered. */
  async function first(): Promise<CycleResult> {
    const began = parts.now();
    standing.hush();
    const catchUp: Run = { kind: 'verify', reason: 'catch_up', paths: standing.pending().paths };
    const ran = await (start.catchUp === 'on' ? perform(catchUp, began) : cycle(NO_CHANGES, 'retry'));
    const captured = await parts.bootFiles.allChanged();
    const booted =
      captured.length === 0 ? ran : restart(`${named(captured)} changed while the worker booted`, NO_CHANGES, began);
    standing.tell();
    return booted;
  }

  async function perform(run: Run, began: number): Promise<CycleResult> {
    if (run.kind === 'verify' && run.reason !== 'catch_up') parts.say(whyVerify(run.reason, run.paths.size));
    inHand = owedIfLeft(run);
    const outcome = await attemptRun(parts, run);
    inHand = NOTHING_PENDING;
    if (outcome.kind === 'trouble') {
      standing.owe(outcome.owed, outcome.trouble);
      return result(run.kind, run.paths.size, began);
    }
    const count = run.kind === 'verify' ? outcome.result.changed + outcome.result.removed : run.paths.size;
    succeed(run, outcome.result, { count, durationMs: parts.now() - began });
    return result(run.kind, count, began);
  }

  function succeed(run: Run, ran: RunResult, lastRun: { count: number; durationMs: number }): void {
    if (ran.outcome === 'published') {
      parts.say(`generation ${ran.pointer?.number}: ${files(lastRun.count)} in ${Math.round(lastRun.durationMs)} ms`);
    }
    ours = parts.pointer();
    standing.settle({
      trouble: ran.held.length > 0 ? heldTrouble(ran.held) : null,
      generation: ours?.number ?? null,
      caughtUp: standing.condition().caughtUp || run.kind === 'verify',
      held: ran.held,
      lastRun,
    });
  }

  function restart(what: string, changes: Changes, began: number): CycleResult {
    const message = `${what}: the worker has to start again`;
    standing.owe(owedFor(sortChanges(changes, parts.learned)), { reason: 'restart_required', message });
    return result('restart', 0, began);
  }

  function result(action: CycleResult['action'], count: number, began: number): CycleResult {
    const { trouble, generation } = standing.condition();
    const state = trouble === null ? 'running' : 'degraded';
    return { action, state, generation, count, durationMs: parts.now() - began };
  }

  return {
    process: (paths) => inTurn(() => cycle({ ...NO_CHANGES, files: paths }, 'event')),
    cycle: (changes) => inTurn(() => cycle(changes, 'event')),
    retry: () => inTurn(() => cycle(NO_CHANGES, 'retry')),
    start: () => inTurn(first),
    fail: (trouble) => standing.owe(NOTHING_PENDING, trouble),
    leave: (unseen) => standing.keep(mergePending(inHand, owedFor(sortChanges(unseen, parts.learned)))),
    condition: standing.condition,
  };
}
