/** A small child: `node child.mjs BEHAVIOUR [ARGUMENT]`. It stays until it is stopped, unless its behaviour says otherwise. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as records from './records.mjs';

const [behaviour, argument] = process.argv.slice(2);
const index = process.env.CHILD_INDEX;
const { send, sendRaw } = records;

/** Counts the starts of this child over all attempts. */
function countStart() {
  const file = `${index}/starts`;
  appendFileSync(file, `${process.pid}\n`);
  return readFileSync(file, 'utf8').trim().split('\n').length;
}

function isLiving(pid) {
  return existsSync(`/proc/${pid}/stat`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
}

const behaviours = {
  ready: () => records.becomeReady(index),
  async 'ready by socket'() {
    await records.becomeReady(index, 'socket');
  },
  async 'ready, then exits'() {
    await records.becomeReady(index);
    process.exit(Number(argument));
  },
  exits: () => process.exit(Number(argument)),
  'dies of a signal': () => process.kill(process.pid, argument),
  async 'asks for one restart'() {
    const start = countStart();
    await records.becomeReady(index);
    if (start > 1) return;
    await send(records.terminal('restart_required'));
    process.exit(75);
  },
  async 'asks for one restart, then exits'() {
    if (countStart() > 1) process.exit(Number(argument));
    await records.becomeReady(index);
    await send(records.terminal('restart_required'));
    process.exit(75);
  },
  async 'is ready again and again'() {
    await records.becomeReady(index);
    for (let n = 2; n < 5; n += 1) for (const event of [records.degraded, records.ready(n)]) await send(event);
  },
  async 'is degraded'() {
    for (const event of [records.taskLoaded, records.identity(index), records.backendReady, records.degraded]) {
      await send(event);
    }
  },
  async 'ends with 0 on TERM, after a moment'() {
    process.on('SIGTERM', () => {
      appendFileSync(argument, 'tidied up\n');
      process.exit(0);
    });
    await send(records.taskLoaded);
  },
  async 'ends with a last word'() {
    await send(records.taskLoaded);
    await send(records.terminal(argument));
    process.exit(1);
  },
  async 'fails once'() {
    if (countStart() === 1) process.exit(9);
    await records.becomeReady(index);
  },
  async 'claims the index'() {
    const claim = `${index}/claim`;
    await send(records.taskLoaded);
    await send(records.identity(index));
    if (existsSync(claim) && isLiving(Number(readFileSync(claim, 'utf8')))) {
      await send(records.terminal('already_running'));
      process.exit(1);
    }
    writeFileSync(claim, String(process.pid));
    await send(records.backendReady);
    await send(records.ready());
  },
  silent: () => {},
  'stops at task_loaded': () => send(records.taskLoaded),
  async floods() {
    await records.becomeReady(index);
    for (let n = 0; n < 1100; n += 1) await send(n % 2 === 0 ? records.degraded : records.ready(n));
  },
  async 'lies about its root'() {
    await send(records.taskLoaded);
    await send(records.identity(index, '/'));
  },
  'sends a bad byte': () => sendRaw(Buffer.from([0xff, 0x0a])),
  'sends a line without end': () => sendRaw('x'.repeat(100_000)),
  'speaks for its owner': () => sendRaw(records.encode({ event: 'hello' })),
  'speaks for a stranger': () => sendRaw(records.encode(records.taskLoaded, { pid: 1 })),
  'speaks too early': () => send(records.ready()),
  'shows its environment': () => writeFileSync(argument, JSON.stringify(process.env)),
  async 'notes USR1 and WINCH'() {
    for (const signal of ['SIGUSR1', 'SIGWINCH']) process.on(signal, () => appendFileSync(argument, `${signal}\n`));
    await records.becomeReady(index);
  },
  async 'says where it stands'() {
    const descriptors = existsSync('/proc/self/fd') ? (await import('node:fs')).readdirSync('/proc/self/fd') : [];
    writeFileSync(argument, JSON.stringify({ cwd: process.cwd(), descriptors, argv0: process.argv0 }));
    await records.becomeReady(index);
  },
};

setInterval(() => {}, 60_000);
await behaviours[behaviour]();
