/**
 * Bugs that were reported in public against tools like this one, each by its number in the design. The others stand where
 * their subject is, with the number in their names: 1 woods-watch, 3 and 4 restart-policy, 5 and 12 outputs, 7 exit-codes
 * and terminal, 8 terminal.
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeProject, removeProjects } from '../support/project.ts';
import { endAll, type Running as Program, start } from '../support/running.ts';
import { until } from '../support/until.ts';
import { eventually } from './support/eventually.ts';
import { speaking } from './support/speech.ts';
import { BINARY, makeWorkplace, type Running, watch } from './support/woods-watch.ts';

// the bundled worker is a whole program on a machine that may be busy; each wait inside has its own bound
vi.setConfig({ testTimeout: 120_000 });

const WRITER = fileURLToPath(new URL('./children/status-writer.mjs', import.meta.url));
const started: Running[] = [];

afterEach(() => {
  for (const running of started.splice(0)) running.clean();
  endAll();
  removeProjects();
});

function begin(...args: Parameters<typeof watch>): Running {
  const running = watch(...args);
  started.push(running);
  return running;
}

/** woods-watch with the bundled worker. */
function onProject(root: string): Program {
  return start(process.execPath, [BINARY, '--root', root], { cwd: root });
}

describe('report 2: two supervisors on one root', () => {
  it('the second parks with one line, starts nothing again, and the first works on', async () => {
    const root = makeProject();
    const first = onProject(root);
    await first.line(/\[woods-watch\] ready/);
    const second = onProject(root);
    await second.line(/\[woods-watch\] parked \(already_running\)/);
    // longer than the first delays of a storm
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(second.output().split('[woods-watch] started').length - 1).toBe(1);
    expect(second.output().split('[woods-watch] parked').length - 1).toBe(1);
    expect(first.output()).not.toMatch(/starting it again|parked/);
    for (const one of [second, first]) {
      one.signal('SIGTERM');
      expect(await one.exit).toEqual({ code: 0, signal: null });
      expect(one.family()).toEqual([]);
    }
  });
});

describe('report 6: output without a newline', () => {
  it('64 KiB of it on the outputs pass as they are, and hang nothing', async () => {
    const running = begin(speaking(`head -c 65536 /dev/zero | tr '\\0' x; become_ready; sleep 1000`));
    await running.reaches('ready');
    await eventually('all of it', () => running.stdout().length === 65_536);
    expect(running.stdout()).toMatch(/^x+$/);
    running.signal('SIGTERM');
    expect(await running.ended()).toEqual({ code: 0, signal: null });
  });

  it('a line of 10 MB on the event channel is refused at 4,096 bytes, and is not kept', async () => {
    const running = begin(speaking(`head -c 10000000 /dev/zero | tr '\\0' x >&3; echo done; sleep 1000`));
    await running.says(/parked \(incompatible\): .*4,?096/);
    expect(highWaterKb(running.pid)).toBeLessThan(100_000);
    running.signal('SIGTERM');
    expect(await running.ended()).toEqual({ code: 0, signal: null });
    expect(running.survivors()).toEqual([]);
  });
});

function highWaterKb(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);
}

describe('report 9: a stale record after a crash', () => {
  it('does not block the next start, with the bundled worker', async () => {
    const root = makeProject();
    const first = onProject(root);
    await first.line(/\[woods-watch\] ready/);
    for (const pid of first.family()) process.kill(pid, 'SIGKILL');
    await first.exit;
    const second = onProject(root);
    await second.line(/\[woods-watch\] ready/);
    second.signal('SIGTERM');
    expect(await second.exit).toEqual({ code: 0, signal: null });
  });

  it('does not block it either when its process number belongs to another process by now', async () => {
    const place = makeWorkplace();
    const first = begin(speaking('become_ready; sleep 1000'), { place });
    await first.reaches('ready');
    first.signal('SIGKILL');
    await first.ended();
    const directory = join(place.index, 'watch_supervisors');
    const path = join(directory, readdirSync(directory).find((name) => name.endsWith('.json')) ?? '');
    const record: object = JSON.parse(readFileSync(path, 'utf8'));
    const old = new Date(Date.now() - 60_000).toISOString();
    writeFileSync(path, JSON.stringify({ ...record, pid: process.pid, updated_at: old }));
    const second = begin(speaking('become_ready; sleep 1000'), { place });
    await second.reaches('ready');
    // it says of a process that does not exist that it lives: the next one removes it
    await eventually('the sweep', () => !existsSync(path));
    second.signal('SIGTERM');
    expect(await second.ended()).toEqual({ code: 0, signal: null });
  });
});

describe('report 10: no ps in the image', () => {
  it.each([
    ['stopped', 'SIGTERM'],
    ['killed', 'SIGKILL'],
  ] as const)('nothing asks for it when a supervisor with escapees is %s', async (_, signal) => {
    const place = makeWorkplace();
    const bin = join(place.root, 'bin');
    const called = join(place.root, 'called');
    mkdirSync(bin);
    for (const tool of ['ps', 'pgrep', 'pkill', 'killall', 'pstree']) {
      writeFileSync(join(bin, tool), `#!/bin/sh\necho ${tool} >>'${called}'\nexit 127\n`);
      chmodSync(join(bin, tool), 0o755);
    }
    const script = `setsid sleep 1000 & (trap '' TERM; exec sleep 1000) & become_ready; sleep 1000`;
    const env = { PATH: `${bin}:${process.env.PATH}` };
    const running = begin(speaking(script), { place, env, args: ['--shutdown-timeout', '0.3'] });
    await running.reaches('ready');
    running.signal(signal);
    await running.ended();
    await until(() => running.survivors().length === 0, { what: 'no process is left', timeoutMs: 20_000 });
    expect(existsSync(called)).toBe(false);
  });
});

describe('report 11: a torn status file', () => {
  it('is seen in none of 10,000 reads under writes', async () => {
    const place = makeWorkplace();
    const writer = spawn(process.execPath, [WRITER, place.index], { stdio: 'ignore' });
    try {
      const path = join(place.index, 'watch_supervisors', `${'a'.repeat(32)}.json`);
      await until(() => existsSync(path), { what: 'the first write' });
      const seen = new Set<string>();
      for (let read = 0; read < 10_000; read += 1) {
        const record: { reason: string; attempt: string } = JSON.parse(readFileSync(path, 'utf8'));
        expect(record.attempt).toHaveLength(32);
        seen.add(record.reason);
        // a turn for the writer on a machine with one core
        if (read % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      // a reader that met no write would prove nothing
      expect(seen.size).toBeGreaterThan(20);
    } finally {
      writer.kill('SIGKILL');
    }
  });
});
