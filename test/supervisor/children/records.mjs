/** The child's side of the protocol, written by hand from its description and not with our own reporter. */
import { writeSync } from 'node:fs';
import { connect } from 'node:net';

const { WOODS_WATCH_EVENT_FD, WOODS_WATCH_EVENT_SOCKET, WOODS_WATCH_LAUNCHER_TOKEN, WOODS_WATCH_ATTEMPT_TOKEN } =
  process.env;

/** Sends bytes as they are. `way` is `fd` or `socket`; resolves when they are on their way. */
export async function sendRaw(bytes, way = 'fd') {
  if (way === 'fd') writeAll(Number(WOODS_WATCH_EVENT_FD), Buffer.from(bytes));
  else await new Promise((resolve) => openSocket().write(bytes, resolve));
}

let socket;
function openSocket() {
  socket ??= connect(WOODS_WATCH_EVENT_SOCKET).unref();
  return socket;
}

function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

export function encode(event, envelope = {}) {
  const head = {
    version: 1,
    launcher: WOODS_WATCH_LAUNCHER_TOKEN,
    attempt: WOODS_WATCH_ATTEMPT_TOKEN,
    pid: process.pid,
  };
  return `${JSON.stringify({ ...head, ...envelope, ...event })}\n`;
}

export const send = (event, way) => sendRaw(encode(event), way);

export const taskLoaded = { event: 'task_loaded', woods_version: '2.0.0' };
export const identity = (index, root = process.cwd()) => ({ event: 'identity', root, index });
export const backendReady = { event: 'backend_ready' };
export const ready = (generation = 1) => ({ event: 'startup', state: 'ready', generation, reason: 'reconciled' });
export const degraded = { event: 'startup', state: 'degraded', generation: 1, reason: 'pending_work' };
export const terminal = (reason) => ({ event: 'terminal', reason });

/** Everything up to ready. */
export async function becomeReady(index, way) {
  for (const event of [taskLoaded, identity(index), backendReady, ready()]) await send(event, way);
}
