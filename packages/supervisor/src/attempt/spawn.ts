import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { execa } from 'execa';
import type { Command } from '../command/lookup.ts';
import type { Exit } from '../states/event.ts';
import { EVENT_FD } from './event-fd.ts';

export type Spawned =
  | { readonly ok: true; readonly pid: number; readonly channel: Readable; readonly exited: Promise<Exit> }
  /** `code` is the system's name of the error, `detail` a line for people. */
  | { readonly ok: false; readonly failure: Promise<{ code: string; detail: string }> };

/**
 * Starts the command directly, with no shell in between, as leader of a session and group of its own. It gets exactly
 * `env`, no standard input, our stdout and stderr, and the event channel; `exited` settles when it is reaped, whoever
 * still holds its descriptors.
 */
export function spawnCommand(command: Command, place: { root: string; env: Record<string, string> }): Spawned {
  const subprocess = execa(command.file, command.args, {
    argv0: command.name,
    cwd: place.root,
    env: place.env,
    extendEnv: false,
    detached: true,
    cleanup: false,
    buffer: false,
    reject: false,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const channel = subprocess.stdio[EVENT_FD];
  if (subprocess.pid === undefined || channel === null || channel === undefined) {
    return { ok: false, failure: subprocess.then((result) => explain(result, { command, root: place.root })) };
  }
  const exited = new Promise<Exit>((resolve) => {
    subprocess.once('exit', (code, signal) => {
      resolve(signal === null ? { code, signal: null } : { code: null, signal: constants.signals[signal] });
    });
  });
  // execa settles later, once the last holder of the channel is gone, and has nothing to add
  subprocess.catch(() => {});
  return { ok: true, pid: subprocess.pid, channel, exited };
}

function explain(
  result: { readonly code?: string | undefined },
  plan: { command: Command; root: string },
): { code: string; detail: string } {
  const code = result.code ?? 'UNKNOWN';
  if (!existsSync(plan.root)) return { code, detail: `the root ${plan.root} is gone` };
  return { code, detail: `${plan.command.file}: ${code}` };
}
