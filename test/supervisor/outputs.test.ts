/** Outputs that nobody takes, inputs that are not there, and clocks that jump: supervision goes on, and nothing is orphaned. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { describeWithTools } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { speaking } from './support/speech.ts';
import { newTag, type Tag } from './support/survivors.ts';
import { BINARY, makeWorkplace, type Running, type Workplace, watch } from './support/woods-watch.ts';

/** Talks on both of its outputs for as long as somebody listens, and stays. */
const TALKER = `become_ready; (while sleep 0.05; do echo out; echo err >&2; done) & sleep 1000`;

interface There {
  readonly place: Workplace;
  readonly tag: Tag;
}

const started: Running[] = [];
const shells: There[] = [];

afterEach(() => {
  for (const running of started.splice(0)) running.clean();
  for (const { tag, place } of shells.splice(0)) {
    tag.end();
    rmSync(place.root, { recursive: true, force: true });
  }
});

/** Runs a line of shell in which `"$@"` is woods-watch with a talking child. */
function inShell(line: string): There {
  const place = makeWorkplace();
  const tag = newTag();
  const argv = [process.execPath, BINARY, '--root', place.root, '--', ...speaking(TALKER)];
  spawn('sh', ['-c', line, 'sh', ...argv], {
    cwd: place.root,
    env: { ...process.env, ...tag.env, CHILD_INDEX: place.index },
    stdio: 'ignore',
  });
  const there = { place, tag };
  shells.push(there);
  return there;
}

describe('where nobody takes what is said', () => {
  it.each([
    ['through a pipe whose reader leaves after a line', '"$@" 2>&1 | head -1'],
    ['to /dev/full', '"$@" >/dev/full 2>&1'],
    ['to a FIFO that is kept open and never read', 'mkfifo fifo; exec 3<>fifo; "$@" >fifo 2>&1 3>&-'],
    ['nowhere, with all outputs closed', '"$@" >&- 2>&-'],
    ['with its input closed (report 12)', '"$@" <&-'],
    ['with an empty input (report 12)', '"$@" </dev/null'],
  ])('goes on %s, and stops in order', async (_, line) => {
    const there = inShell(line);
    const first = await reaches(there.place, 'ready');
    process.kill(first.pid, 'SIGUSR2');
    const second = await reaches(there.place, 'ready', ({ attempt }) => attempt !== first.attempt);
    expect(second.pid).toBe(first.pid);
    process.kill(first.pid, 'SIGTERM');
    await reaches(there.place, 'stopped', ({ reason }) => reason === 'owner_stopped');
    await until(() => there.tag.survivors().length === 0, { what: 'no process is left', timeoutMs: 20_000 });
  });

  it('loses nothing when the supervisor is killed there', async () => {
    const there = inShell('"$@" 2>&1 | head -1');
    const { pid } = await reaches(there.place, 'ready');
    process.kill(pid, 'SIGKILL');
    await until(() => there.tag.survivors().length === 0, { what: 'no process is left', timeoutMs: 20_000 });
  });

  it('spends no CPU time on it', async () => {
    const there = inShell('mkfifo fifo; exec 3<>fifo; "$@" >fifo 2>&1 3>&-');
    const { pid } = await reaches(there.place, 'ready');
    const before = cpuOf(pid);
    const written = recordOf(there.place)?.updated_at;
    await until(() => recordOf(there.place)?.updated_at !== written, { what: 'a heartbeat' });
    // ticks of 10 ms over five seconds
    expect(cpuOf(pid) - before).toBeLessThan(20);
  });
});

describeWithTools('when the wall clock jumps', ['faketime'], () => {
  it.each([
    ['forward', '+1d'],
    ['back', '-1d'],
  ])(
    '(report 5) neither restarts nor dies nor waits longer: a day %s',
    async (_, jump) => {
      const place = makeWorkplace();
      const clock = join(place.root, 'clock');
      writeFileSync(clock, '+0d\n');
      const running = watch(speaking('become_ready; exec sleep 1000'), {
        place,
        env: {
          LD_PRELOAD: faketimeLibrary(),
          FAKETIME_TIMESTAMP_FILE: clock,
          FAKETIME_NO_CACHE: '1',
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
        },
      });
      started.push(running);
      const before = await running.reaches('ready');
      writeFileSync(clock, `${jump}\n`);
      const day = jump === '+1d' ? 86_400_000 : -86_400_000;
      const record = await until(
        () => {
          const found = recordOf(place);
          return found !== undefined && Math.abs(Date.parse(found.updated_at) - Date.now() - day) < 60_000
            ? found
            : null;
        },
        { what: 'a heartbeat by the new clock', timeoutMs: 30_000 },
      );
      expect(record).toMatchObject({ state: 'ready', attempt: before.attempt, child_pid: before.child_pid });
      const at = performance.now();
      process.kill(before.child_pid ?? 0, 'SIGKILL');
      await running.says(/starting it again in 1 s/);
      await until(() => recordOf(place)?.attempt !== before.attempt && recordOf(place)?.state === 'ready', {
        what: 'the next attempt',
      });
      expect(performance.now() - at).toBeGreaterThan(900);
      running.signal('SIGTERM');
      expect(await running.ended()).toEqual({ code: 0, signal: null });
      expect(running.survivors()).toEqual([]);
    },
    60_000,
  );
});

/** What `faketime` preloads into the command that it starts. */
function faketimeLibrary(): string {
  const script = 'printf %s "$LD_PRELOAD"';
  const library = execFileSync('faketime', ['-f', '+0d', 'sh', '-c', script], { encoding: 'utf8' });
  // it may hold a word that only the loader understands
  expect(library).toContain('libfaketime');
  return library;
}

interface StatusRecord {
  readonly pid: number;
  readonly state: string;
  readonly reason: string;
  readonly attempt: string;
  readonly child_pid: number | null;
  readonly updated_at: string;
}

function recordOf(place: Workplace): StatusRecord | undefined {
  const directory = join(place.index, 'watch_supervisors');
  if (!existsSync(directory)) return undefined;
  const [name] = readdirSync(directory).filter((one) => one.endsWith('.json'));
  return name === undefined ? undefined : JSON.parse(readFileSync(join(directory, name), 'utf8'));
}

function reaches(
  place: Workplace,
  state: string,
  also: (record: StatusRecord) => boolean = () => true,
): Promise<StatusRecord> {
  return until(
    () => {
      const record = recordOf(place);
      return record?.state === state && also(record) ? record : null;
    },
    { what: `state ${state}`, timeoutMs: 20_000 },
  );
}

/** User and system time in clock ticks. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
