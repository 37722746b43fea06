import { isDescendant } from '@woods/posix';
import { newToken } from '@woods/protocol';
import { pause } from '../clock/clock.ts';
import type { Command } from '../command/lookup.ts';
import type { Guardian } from '../guardian/keeper.ts';
import type { Leftovers } from '../leftovers/leftovers.ts';
import type { Event } from '../states/event.ts';
import { type Group, type Leader, watchGroup } from '../stop/group.ts';
import type { TreeSignal } from '../stop/signaller.ts';
import { type StopSystem, stopTree } from '../stop/stop-tree.ts';
import { openChannels } from './channels.ts';
import { type EventSocket, listenForEvents } from './event-socket.ts';
import { judgeRecords } from './records.ts';
import type { SocketDirectory } from './socket-directory.ts';
import { spawnCommand } from './spawn.ts';

/** What all attempts of one supervisor have in common. */
export interface AttemptPlan {
  readonly launcher: string;
  readonly root: string;
  readonly command: Command;
  readonly graceMs: number;
  readonly guardian: Guardian;
  readonly sockets: SocketDirectory | null;
  readonly system: StopSystem;
  readonly leftovers: Pick<Leftovers, 'sweep'>;
  /** The child's whole environment, for an attempt's token and socket. */
  environment(attempt: { token: string; socket: string | null }): Record<string, string>;
}

/** One start of the command, from the guardian's arming to the last process of its tree. Nothing here throws. */
export interface Attempt {
  readonly token: string;
  /** Leads to `armed` or `arm_failed`. */
  arm(): void;
  /** Leads to `spawned`, the child's records and `exited`, or to `spawn_failed`. */
  spawn(): void;
  /** Leads to `tree_gone`, and `exited` before it if there is a child. */
  stop(): void;
  /** Turns a stop under way into a kill. */
  kill(): void;
  relay(signal: TreeSignal): void;
  close(): void;
}

/** How long the end of a stop waits for the leader to be reaped: only what hangs in the kernel takes that long. */
const REAP_MS = 1_000;

export function openAttempt(plan: AttemptPlan, emit: (event: Event) => void): Attempt {
  const token = newToken();
  const impatience = new AbortController();
  const records = judgeRecords({
    launcher: plan.launcher,
    attempt: token,
    root: plan.root,
    isSender: isDescendant,
    emit,
  });
  const channels = openChannels({ onValue: records.child, onRefused: records.refuse }, plan.system.clock);
  let socket: EventSocket | null = null;
  let leader: Leader | null = null;
  let group: Group | null = null;
  const ended = new AbortController();
  let stopping = false;

  async function arm(): Promise<void> {
    const sweep = plan.leftovers.sweep();
    if (sweep !== null) await sweep;
    if (stopping) return;
    const listening = plan.sockets === null ? null : listenForEvents(plan.sockets.nextSocket(), channels.add);
    try {
      await plan.guardian.arm(token);
    } finally {
      // also without a guardian: what listens has to be known to be closed
      socket = await listening;
    }
    records.owner({ event: 'hello' });
    emit({ name: 'armed' });
  }

  function spawn(): void {
    const env = plan.environment({ token, socket: socket?.path ?? null });
    const spawned = spawnCommand(plan.command, { root: plan.root, env });
    if (!spawned.ok) {
      void spawned.failure.then(({ code, detail }) => {
        records.owner({ event: 'spawn_error', reason: code });
        emit({ name: 'spawn_failed', code, detail });
      });
      return;
    }
    leader = { pid: spawned.pid, start: plan.system.processes.find(spawned.pid)?.start ?? null };
    group = watchGroup(leader, plan.system);
    plan.guardian.register({ pid: leader.pid, start: leader.start ?? '' });
    records.owner({ event: 'spawned', child_pid: spawned.pid });
    emit({ name: 'spawned', pid: spawned.pid });
    channels.add(spawned.channel);
    void spawned.exited.then(async (exit) => {
      await channels.drained();
      records.owner({ event: 'exit', ...exit });
      emit({ name: 'exited', ...exit });
      ended.abort();
    });
  }

  async function stop(): Promise<void> {
    stopping = true;
    const { graceMs, system } = plan;
    const left = await stopTree({ leader, token, graceMs, impatience: impatience.signal }, system);
    if (leader !== null) await pause(system.clock, REAP_MS, ended.signal);
    if (left.length === 0) plan.guardian.release();
    emit({ name: 'tree_gone', left });
  }

  return {
    token,
    arm: () => void arm().catch((error: unknown) => emit({ name: 'arm_failed', detail: messageOf(error) })),
    spawn,
    stop: () => void stop(),
    kill: () => impatience.abort(),
    relay: (signal) => group?.signal(signal),
    close() {
      channels.close();
      socket?.close();
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
