/**
 * The guardian where there is no shell: the same words on the same pipe, the same answers, and the same end of a tree as
 * `bin/woods-guardian.sh`, at the cost of a second Node. Runs as a process of its own: GRACE SINCE SOCKETS.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { selfIdentity } from '@woods/protocol';
import { systemClock } from '../clock/clock.ts';
import type { Leader } from '../stop/group.ts';
import { killDescendants } from '../stop/last-resort.ts';
import { systemProcesses, ticksOf } from '../stop/processes.ts';
import { systemSignaller } from '../stop/signaller.ts';
import { type StopSystem, stopTree } from '../stop/stop-tree.ts';

const SYSTEM: StopSystem = {
  clock: systemClock,
  processes: systemProcesses,
  signaller: systemSignaller,
  ownPid: process.pid,
  adopted: () => [],
  killDescendants,
};

const [grace = '1', , sockets = ''] = process.argv.slice(2);
let token: string | null = null;
let leader: Leader | null = null;

// a terminal's signals are not for us, and nobody has to read our answers
for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGTSTP'] as const) {
  process.on(signal, () => {});
}
process.stdout.on('error', () => {});

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [command = '', first = '', second = ''] = line.split(' ');
    obey(command, first, second);
    process.stdout.write(`${command} ${first}\n`);
  })
  .on('close', () => void endTree());

function obey(command: string, first: string, second: string): void {
  if (command === 'arm') [token, leader] = [first, null];
  if (command === 'release') [token, leader] = [null, null];
  if (command === 'register' && /^\d+$/.test(first) && Number(first) > 1) {
    leader = { pid: Number(first), start: startOf(second) };
  }
}

/** A start is told in ticks, and compared together with the boot that they count from. */
function startOf(ticks: string): string | null {
  const own = selfIdentity().start;
  return ticks === '' || own === null ? null : `${own.slice(0, own.lastIndexOf(':'))}:${ticksOf(ticks)}`;
}

async function endTree(): Promise<void> {
  if (token !== null) {
    const impatience = new AbortController().signal;
    await stopTree({ leader, token, graceMs: Number(grace) * 10, impatience }, SYSTEM);
  }
  if (sockets.startsWith('/tmp/woods-events-')) rmSync(sockets, { recursive: true, force: true });
}
