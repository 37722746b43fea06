/**
 * Chaos: a supervisor and its processes are struck at random, while its clock runs a hundred times as fast. The seed gives
 * the operations, not how the machine schedules them; WOODS_CHAOS_SEED replays one, WOODS_CHAOS=1 runs many and long ones.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Random, seeded } from '../oracle/random.ts';
import { speaking } from '../supervisor/support/speech.ts';
import { HURRIED, type Running, watch } from '../supervisor/support/woods-watch.ts';
import { until } from '../support/until.ts';

const LONG = process.env.WOODS_CHAOS === '1';
const OPERATIONS = LONG ? 300 : 60;
const SEEDS =
  process.env.WOODS_CHAOS_SEED === undefined
    ? Array.from({ length: LONG ? 20 : 3 }, (_, at) => at + 1)
    : [Number(process.env.WOODS_CHAOS_SEED)];
const LONGEST_PAUSE_MS = 80;
const LOOK_MS = 10;
const MARK = 'chaos-leader';

/** Obeys USR1 (asks to be started again), USR2 (floods) and WINCH (closes its channel); each of its processes stops in its own way. */
const CHILD = `
: ${MARK}
trap 'say "\\"terminal\\",\\"reason\\":\\"restart_required\\""; exit 75' USR1
trap 'flood' USR2
trap 'exec 3>&-' WINCH
flood() {
  exec 2>/dev/null
  for n in $(seq 3000); do say '"startup","state":"degraded","generation":1,"reason":"pending_work"'; done
}
sleep 1000 3>&- & member=$!
(trap '' TERM; exec sleep 1000 3>&-) &
setsid sleep 1000 3>&- &
(setsid sh -c 'sleep 1000 &' 3>&- &)
become_ready
while kill -0 $member; do wait $member; done
`;

/** What strikes: each is told the supervisor and, as it stands now, its child. */
interface Target {
  readonly running: Running;
  readonly random: Random;
  /** What was stopped and has to go on before the end. */
  readonly stopped: Set<number>;
  torn(path: string): void;
}

const OPERATIONS_BY_NAME: Readonly<Record<string, (target: Target) => Promise<void> | void>> = {
  'TERM the leader': ({ running }) => toLeader(running, 'SIGTERM'),
  'KILL the leader': ({ running }) => toLeader(running, 'SIGKILL'),
  'STOP the leader'({ running, stopped }) {
    const [leader] = leadersOf(running);
    if (leader !== undefined) stop(leader, stopped);
  },
  'STOP the guardian'({ running, stopped }) {
    const guardian = running.guardian();
    if (guardian !== undefined) stop(guardian, stopped);
  },
  'CONT all': ({ stopped }) => goOn(stopped),
  async 'STOP and CONT the supervisor'({ running, random }) {
    running.signal('SIGSTOP');
    await after(random.below(LONGEST_PAUSE_MS));
    running.signal('SIGCONT');
  },
  'exit 75': ({ running }) => toLeader(running, 'SIGUSR1'),
  'flood the channel': ({ running }) => toLeader(running, 'SIGUSR2'),
  'close the channel': ({ running }) => toLeader(running, 'SIGWINCH'),
  'kill the guardian'({ running }) {
    const guardian = running.guardian();
    if (guardian !== undefined) strike(guardian, 'SIGKILL');
  },
  'tear the status file'({ running, torn }) {
    const [path] = statusFiles(running);
    if (path !== undefined) torn(path);
  },
  'restart by USR2': ({ running }) => running.signal('SIGUSR2'),
};

/** A parked supervisor, or one that waits, has no child to be struck: restarts are drawn more often than the others. */
const DRAWN = [...Object.keys(OPERATIONS_BY_NAME), ...Array<string>(4).fill('restart by USR2')];

describe('a supervisor under chaos', () => {
  it.each(SEEDS)(
    `holds its invariants through ${OPERATIONS} operations, seed %i`,
    async (seed) => {
      const done: string[] = [];
      const running = watch(speaking(CHILD), { program: HURRIED, args: ['--shutdown-timeout', '2.5'] });
      const watched = watchInvariants(running);
      try {
        await running.says(/started the command/);
        await rage(running, seeded(seed), { done, watched });
        await calmDown(running, watched);
        // a storm that never reached a child would prove nothing
        expect(running.stderr().split('started the command').length - 1).toBeGreaterThan(1);
      } catch (error) {
        const story = done.map((name, at) => `${at + 1} ${name}`).join('\n');
        const lines = running
          .stderr()
          .split('\n')
          .filter((line) => line.startsWith('[woods-watch]') && !line.includes('] degraded'));
        const said = `stderr:\n${lines.join('\n')}\noperations:\n${story}\nreplay with WOODS_CHAOS_SEED=${seed}`;
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}\n${said}`, { cause: error });
      } finally {
        watched.end();
        running.clean();
      }
    },
    60_000 + OPERATIONS * 1_000,
  );
});

async function rage(running: Running, random: Random, run: { done: string[]; watched: Watched }): Promise<void> {
  const stopped = new Set<number>();
  for (let count = 0; count < OPERATIONS; count += 1) {
    const name = random.pick(DRAWN);
    run.done.push(name);
    await OPERATIONS_BY_NAME[name]?.({ running, random, stopped, torn: run.watched.tear });
    await after(random.below(LONGEST_PAUSE_MS));
    run.watched.check();
  }
  goOn(stopped);
}

/** After the storm it works as ever, and a stop leaves nothing. */
async function calmDown(running: Running, watched: Watched): Promise<void> {
  running.signal('SIGUSR2');
  await until(() => isReady(running) && leadersOf(running).length === 1, { what: 'ready again', timeoutMs: 20_000 });
  watched.check();
  watched.end();
  running.signal('SIGHUP');
  expect(await running.ended()).toEqual({ code: null, signal: 'SIGHUP' });
  expect(running.survivors()).toEqual([]);
  // a stop between two attempts finds no index to say so on: the record of the last one is retired by then
  expect(running.record()).toMatchObject({
    state: 'stopped',
    reason: expect.stringMatching(/^(owner_stopped|attempt_finished)$/),
  });
  expect(running.stderr()).not.toMatch(/internal error|could not end/);
}

interface Watched {
  /** Throws what was seen to be wrong so far. */
  check(): void;
  /** Tears a status file: until it is written again it cannot be read. */
  tear(path: string): void;
  end(): void;
}

/** Looks all the time whether there is more than one leader, and whether every status file can be read. */
function watchInvariants(running: Running): Watched {
  const wrong: string[] = [];
  const torn = new Map<string, string>();

  function look(): void {
    const leaders = leadersOf(running);
    if (leaders.length > 1) wrong.push(`${leaders.length} leaders live: ${leaders.join(', ')}`);
    for (const path of statusFiles(running)) {
      const text = read(path);
      if (text === torn.get(path) || isObject(text)) continue;
      wrong.push(`${path} cannot be read: ${JSON.stringify(text)}`);
    }
    const { exitCode, signalCode } = running.process;
    if (exitCode !== null || signalCode !== null) wrong.push(`the supervisor ended: ${exitCode ?? signalCode}`);
  }

  const interval = setInterval(look, LOOK_MS);
  return {
    check() {
      look();
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
    },
    tear(path) {
      const half = read(path).slice(0, 60);
      torn.set(path, half);
      writeFileSync(path, half);
    },
    end: () => clearInterval(interval),
  };
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

function statusFiles(running: Running): string[] {
  const directory = join(running.place.index, 'watch_supervisors');
  try {
    const names = readdirSync(directory).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
    return names.map((name) => join(directory, name));
  } catch {
    // not written yet
    return [];
  }
}

function isReady(running: Running): boolean {
  return statusFiles(running).some((path) => read(path).includes('"state":"ready"'));
}

/** Living children of the supervisor that lead a group of their own and run the script; one that is about to is still node. */
function leadersOf(running: Running): number[] {
  return childrenOf(running.pid).filter((pid) => {
    const [state, , group] = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
    const command = read(`/proc/${pid}/cmdline`);
    return state !== 'Z' && Number(group) === pid && command.startsWith('sh\0') && command.includes(MARK);
  });
}

function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

function toLeader(running: Running, signal: NodeJS.Signals): void {
  const [leader] = leadersOf(running);
  if (leader !== undefined) strike(leader, signal);
}

function stop(pid: number, stopped: Set<number>): void {
  stopped.add(pid);
  strike(pid, 'SIGSTOP');
}

function goOn(stopped: Set<number>): void {
  for (const pid of stopped) strike(pid, 'SIGCONT');
  stopped.clear();
}

function strike(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it ended between the look and the signal
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
