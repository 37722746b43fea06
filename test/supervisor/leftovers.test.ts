import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasTool } from '../support/tools.ts';
import { eventually } from './support/eventually.ts';
import { start } from './support/started.ts';
import { newTag } from './support/survivors.ts';
import { child, makeWorkplace, type Running, type SupervisorRecord, type Workplace } from './support/woods-watch.ts';

/** A root whose configuration names its index. */
function configured(): Workplace {
  const place = makeWorkplace();
  writeFileSync(join(place.root, 'woods.json'), JSON.stringify({ output: 'index' }));
  return place;
}

/** Kills a supervisor and its guardian; what they started runs on. */
async function killBoth(running: Running): Promise<void> {
  const guardian = await eventually('a guardian', running.guardian);
  // a stopped one does not notice the death of its supervisor before its own
  process.kill(guardian, 'SIGSTOP');
  running.signal('SIGKILL');
  await running.ended();
  process.kill(guardian, 'SIGKILL');
  await eventually('the guardian to end', () => !running.survivors().includes(guardian));
}

async function stop(running: Running): Promise<void> {
  running.signal('SIGTERM');
  expect(await running.ended()).toEqual({ code: 0, signal: null });
  expect(running.survivors()).toEqual([]);
}

/** A worker that holds the index, and has something beside it that left its group and ignores TERM. */
const HOLDER = [
  'sh',
  '-c',
  `(trap '' TERM; exec setsid sleep 1000) >/dev/null 2>&1 & exec "$@"`,
  'sh',
  ...child('claims the index'),
];

async function startHolder(place: Workplace): Promise<{ running: Running; record: SupervisorRecord }> {
  const running = start(HOLDER, { place, args: ['--shutdown-timeout', '0.5'] });
  return { running, record: await running.reaches('ready') };
}

function rewriteRecord(place: Workplace, record: SupervisorRecord, change: Readonly<Record<string, unknown>>): void {
  const path = join(place.index, 'watch_supervisors', `${record.launcher}.json`);
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }));
}

describe('what a supervisor and its guardian left when both were killed', () => {
  it('is ended before the next one starts anything on that index', async () => {
    const place = configured();
    const dead = await startHolder(place);
    await killBoth(dead.running);
    expect(dead.running.survivors()).toHaveLength(2);

    const next = start(child('claims the index'), { place, args: ['--shutdown-timeout', '0.5'] });
    await next.says(/ending what a killed woods-watch left running on this index: process \d+, \d+/);
    await next.reaches('ready');
    expect(dead.running.survivors()).toEqual([]);
    expect(next.stderr()).not.toMatch(/already/);
    await stop(next);
  });

  it('is ended at the second try when only the command knows the index', async () => {
    const place = makeWorkplace();
    const dead = await startHolder(place);
    await killBoth(dead.running);

    const next = start(child('claims the index'), { place, args: ['--shutdown-timeout', '0.5'] });
    await next.says(/a worker that a killed woods-watch left behind, which will be ended; starting it again in 1 s/);
    await next.reaches('ready');
    expect(dead.running.survivors()).toEqual([]);
    await stop(next);
  });

  it('is ended as well when a supervisor below the dead one had started it', async () => {
    const place = configured();
    const dead = await startHolder(place);
    await killBoth(dead.running);
    const tag = newTag();
    spawn('sleep', ['1000'], {
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, ...tag.env, [`WOODS_WATCH_OUTER_ATTEMPT_${dead.record.attempt}`]: '1' },
    });
    await eventually('the sleep', () => tag.survivors().length === 1);

    const next = start(child('claims the index'), { place, args: ['--shutdown-timeout', '0.5'] });
    await next.reaches('ready');
    expect(tag.survivors()).toEqual([]);
    await stop(next);
  });

  it('is told from what live supervisors of the same index run, which stays', async () => {
    const place = configured();
    const dead = await startHolder(place);
    const parked = start(child('claims the index'), { place });
    await parked.says(/parked \(already_running\)/);
    const live = start(child('ready'), { place });
    const { child_pid: worker } = await live.reaches('ready');
    const stand = [...parked.survivors(), ...live.survivors()];
    await killBoth(dead.running);

    const next = start(child('claims the index'), { place, args: ['--shutdown-timeout', '0.5'] });
    await next.reaches('ready');
    expect(dead.running.survivors()).toEqual([]);
    expect([...parked.survivors(), ...live.survivors()]).toEqual(stand);
    expect(live.record()).toMatchObject({ state: 'ready', child_pid: worker });
    for (const one of [next, parked, live]) await stop(one);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['another host', { host: 'another.example' }],
    ['a process that lives, and a start nobody knows', { pid: process.pid, pid_started: null }],
    ['a supervisor that ended in order', { state: 'stopped', reason: 'owner_stopped' }],
  ])('is left alone when the record speaks of %s', async (_, change) => {
    const place = configured();
    const dead = await startHolder(place);
    await killBoth(dead.running);
    rewriteRecord(place, dead.record, change);

    const next = start(child('claims the index'), { place });
    await next.says(/parked \(already_running\)/);
    expect(dead.running.survivors()).toHaveLength(2);
    await stop(next);
  });

  it.runIf(hasTool('unshare'))('is not looked for in a container that shares index and host name with us', async () => {
    const place = configured();
    const user = process.getuid?.() === 0 ? [] : ['-Ur'];
    const through = ['unshare', ...user, '--fork', '--pid', '--mount-proc'];
    const inside = start(HOLDER, { place, through });
    await inside.says(/ready, generation/);
    await eventually('its record', () => existsSync(join(place.index, 'watch_supervisors')));
    const stand = inside.survivors();

    const next = start(child('ready'), { place });
    await next.reaches('ready');
    expect(inside.survivors()).toEqual(stand);
    await stop(next);
  });

  it('holds up no stop of the next supervisor', async () => {
    const place = configured();
    const dead = await startHolder(place);
    await killBoth(dead.running);

    const next = start(child('claims the index'), { place, args: ['--shutdown-timeout', '30'] });
    await next.says(/ending what a killed woods-watch left/);
    await stop(next);
    expect(next.stderr()).not.toMatch(/started the command/);
  });
});
