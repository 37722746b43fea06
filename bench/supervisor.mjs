/**
 * woods-watch beside other supervisors, in one run: what is left when each is killed with SIGKILL, and for ours the times
 * that the design has bars for. Others come from npm into a temporary directory, or are used when they are installed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { figure, median, ms, quantile } from './support/figures.mjs';
import { binaries } from './support/processes.mjs';

const FROM_NPM = ['pm2', 'concurrently@9', 'nodemon'];
const GRACE_S = 1;
/** Longer than any grace here: whatever lives then was left. */
const PATIENCE_MS = 4_000;

/** A leader with a child in its group, one that ignores TERM, and one in a session of its own. */
const TREE = `
sleep 600 &
sh -c 'trap "" TERM; sleep 600 & wait; sleep 600' &
setsid sleep 600 &
wait
`;

export async function run() {
  const place = mkdtempSync(join(tmpdir(), 'woods-bench-'));
  try {
    await survivors(place);
    await restartLatency(place);
    await stopOfTwenty(place);
    await lastGone(place);
    await idle(place);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function survivors(place) {
  const tree = join(place, 'tree.sh');
  writeFileSync(tree, `#!/bin/sh\n${TREE}`, { mode: 0o755 });
  for (const [name, command] of Object.entries(supervisors(place, tree))) {
    if (command === null) {
      figure(`processes left after SIGKILL of ${name}`, 'skipped: it is not installed');
      continue;
    }
    const tag = newTag();
    const [file, ...args] = command;
    const child = spawn(file, args, { cwd: place, env: { ...process.env, ...tag.env }, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await until(() => tag.count('sleep') >= 3, 20_000);
    child.kill('SIGKILL');
    await ended;
    await until(() => tag.pids().length === 0, PATIENCE_MS);
    figure(
      `processes left after SIGKILL of ${name}`,
      String(tag.pids().length),
      name === 'woods-watch' ? '0' : undefined,
    );
    for (const pid of tag.pids()) end(pid);
  }
}

/** Command lines that run `tree` in the foreground; null: cannot be had here. */
function supervisors(place, tree) {
  const bin = installed(place);
  const conf = join(place, 'supervisord.conf');
  writeFileSync(
    conf,
    `[supervisord]\nnodaemon=true\npidfile=${place}/supervisord.pid\nlogfile=/dev/null\nlogfile_maxbytes=0\n[program:tree]\ncommand=${tree}\n`,
  );
  const service = join(place, 'services/tree');
  mkdirSync(service, { recursive: true });
  writeFileSync(join(service, 'run'), `#!/bin/sh\nexec ${tree}\n`, { mode: 0o755 });
  const npm = (name, ...args) => (bin === null ? null : [join(bin, name), ...args]);
  const system = (name, ...args) => (onPath(name) ? [name, ...args] : null);
  return {
    'woods-watch': [
      process.execPath,
      binaries.woodsWatch,
      '--root',
      place,
      '--shutdown-timeout',
      String(GRACE_S),
      '--',
      tree,
    ],
    'pm2-runtime': npm('pm2-runtime', 'start', tree, '--interpreter', '/bin/sh'),
    'concurrently 9': npm('concurrently', tree),
    nodemon: npm('nodemon', '--watch', conf, '--exec', tree),
    supervisord: system('supervisord', '-c', conf),
    's6-supervise': system('s6-supervise', service),
    tini: system('tini', '-s', '--', tree),
    'dumb-init': system('dumb-init', tree),
  };
}

function installed(place) {
  const directory = join(place, 'npm');
  mkdirSync(directory);
  try {
    writeFileSync(join(directory, 'package.json'), '{}');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...FROM_NPM], {
      cwd: directory,
      stdio: 'ignore',
    });
    return join(directory, 'node_modules/.bin');
  } catch {
    return null;
  }
}

/** What a child of ours says, for bash, whose clock costs no process. */
const SPEECH = String.raw`
say() { printf '{"version":1,"launcher":"%s","attempt":"%s","pid":%s,"event":%s}\n' "$WOODS_WATCH_LAUNCHER_TOKEN" "$WOODS_WATCH_ATTEMPT_TOKEN" $$ "$1" >&"$WOODS_WATCH_EVENT_FD"; }
ready() {
  say '"task_loaded","woods_version":"1.0.0"'
  say '"identity","root":"'"$PWD"'","index":"'"$PWD/index"'"'
  say '"backend_ready"'
  say '"startup","state":"ready","generation":1,"reason":"reconciled"'
}
`;

function ours(root, script, { args = [], env = {} } = {}) {
  mkdirSync(join(root, 'index'), { recursive: true });
  const command = ['bash', '--norc', '-c', SPEECH + script];
  const child = spawn(process.execPath, [binaries.woodsWatch, '--root', root, ...args, '--', ...command], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (chunk) => (text += chunk));
  return { child, said: () => text, ended: new Promise((resolve) => child.once('exit', resolve)) };
}

/** The first restart of fresh supervisors, a second after `ready`: from the last line of one child to the first of the next. */
async function restartLatency(place) {
  const times = [];
  for (let round = 0; round < 30; round += 1) {
    const root = mkdtempSync(join(place, 'restart-'));
    const script = `
      now=$EPOCHREALTIME
      if [ -e left ]; then echo "$now" > back; while :; do sleep 600; done; fi
      ready; sleep 1; say '"terminal","reason":"restart_required"'
      echo "$EPOCHREALTIME" > left; exit 75`;
    const { child, ended } = ours(root, script);
    const back = await until(() => read(join(root, 'back')), 20_000);
    times.push((Number(back) - Number(read(join(root, 'left')))) * 1000);
    child.kill('SIGTERM');
    await ended;
  }
  const bare = [];
  for (let round = 0; round < 30; round += 1) {
    const started = Date.now() / 1000;
    const text = execFileSync('bash', ['--norc', '-c', `now=$EPOCHREALTIME; echo $now`], { encoding: 'utf8' });
    bare.push((Number(text) - started) * 1000);
  }
  figure('exit 75 to the next child, p50 / p95 of 30', `${ms(median(times))} / ${ms(quantile(times, 0.95))}`, '15 ms');
  figure('  of which a spawn of bash to its first line, from a bare Node', ms(median(bare)));
}

async function stopOfTwenty(place) {
  const times = [];
  for (let round = 0; round < 9; round += 1) {
    const root = mkdtempSync(join(place, 'stop-'));
    const { child, said, ended } = ours(
      root,
      'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do sleep 600 & done; ready; wait',
    );
    await until(() => said().includes('ready, generation'), 20_000);
    const asked = performance.now();
    child.kill('SIGTERM');
    await ended;
    times.push(performance.now() - asked);
  }
  figure('TERM to our end with 20 processes, median of 9', ms(median(times)), '50 ms');
}

/** With a hundred more processes on the machine, and one in the tree that only KILL ends. */
async function lastGone(place) {
  const crowd = Array.from({ length: 100 }, () => spawn('sleep', ['600'], { stdio: 'ignore' }));
  const times = [];
  try {
    for (let round = 0; round < 5; round += 1) {
      const root = mkdtempSync(join(place, 'gone-'));
      const tag = newTag();
      const script = `sh -c 'trap "" TERM; sleep 600 & wait; sleep 600' & sleep 600 & ready; wait`;
      const { child, said, ended } = ours(root, script, {
        args: ['--shutdown-timeout', String(GRACE_S)],
        env: tag.env,
      });
      await until(() => said().includes('ready, generation') && tag.count('sleep') >= 2, 20_000);
      const struck = performance.now();
      child.kill('SIGKILL');
      await ended;
      await until(() => tag.pids().length === 0, 20_000, 10);
      times.push(performance.now() - struck);
    }
  } finally {
    for (const process of crowd) process.kill('SIGKILL');
  }
  figure(
    `SIGKILL of the supervisor to the last process gone, grace ${GRACE_S} s, median / worst of 5`,
    `${ms(median(times))} / ${ms(Math.max(...times))}`,
    `${GRACE_S * 1000 + 300} ms`,
  );
}

async function idle(place) {
  const root = mkdtempSync(join(place, 'idle-'));
  const { child, said, ended } = ours(root, 'ready; while :; do sleep 600; done');
  await until(() => said().includes('ready, generation'), 20_000);
  // the collector of garbage has work of its own in the first half minute
  await new Promise((resolve) => setTimeout(resolve, 30_000));
  const before = switches(child.pid);
  await new Promise((resolve) => setTimeout(resolve, 30_000));
  figure(
    'context switches of the idle main thread in 30 s (six heartbeats, each waiting for the disk)',
    String(switches(child.pid) - before),
  );
  child.kill('SIGTERM');
  await ended;
}

function switches(pid) {
  return Number(
    /^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/task/${pid}/status`, 'utf8'))?.[1],
  );
}

/** An entry in the environment by which a whole tree is known, wherever it went. */
function newTag() {
  const value = randomBytes(8).toString('hex');
  const entry = `WOODS_BENCH_TAG=${value}`;
  const pids = () =>
    readdirSync('/proc').flatMap((name) => {
      if (!/^\d+$/.test(name)) return [];
      const stat = read(`/proc/${name}/stat`);
      const ended = stat === null || /\) [ZX] /.test(stat);
      return !ended && read(`/proc/${name}/environ`)?.split('\0').includes(entry) ? [Number(name)] : [];
    });
  return {
    env: { WOODS_BENCH_TAG: value },
    pids,
    count: (command) => pids().filter((pid) => read(`/proc/${pid}/comm`)?.trim() === command).length,
  };
}

function read(path) {
  try {
    return readFileSync(path, 'latin1').trimEnd() || null;
  } catch {
    return null;
  }
}

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}

function onPath(name) {
  return (process.env.PATH ?? '').split(':').some((directory) => read(join(directory, name)) !== null);
}

/** What `look` finds, or its last answer when the time is over. */
async function until(look, patienceMs, everyMs = 20) {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const found = look();
    if (found || performance.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
