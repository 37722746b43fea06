/** The life of a worker: enter, capture, watch, catch up, and then the loop. */
import { selfIdentity } from '@woods/protocol';
import { type Backend, createBackend, openSettler } from '@woods/watch';
import type { BootCapture } from '../boot/capture.ts';
import { woodsVersion } from '../boot/version.ts';
import type { Daemon } from '../cycle/daemon.ts';
import { openIndexThread } from '../thread/handle.ts';
import { type Assembled, assembleDaemon } from './assemble.ts';
import { type End, failedEnd, restartEnd, stoppedEnd } from './end.ts';
import { enterIndex } from './enter.ts';
import { indexLockMs } from './git-lock.ts';
import { watchLoop } from './loop.ts';
import type { Settings } from './options.ts';
import { countSeconds } from './progress.ts';
import type { Resources } from './shutdown.ts';

/** A save that never pauses is taken after this at the latest. */
const MAX_SETTLE_MS = 500;

type Say = (line: string) => void;

/** Resolves with the end that the worker came to by itself. Whatever has to be taken back is in `held` by then. */
export async function live(settings: Settings, held: Resources, say: Say): Promise<End> {
  const { root, config } = settings;
  const self = selfIdentity();
  held.records.taskLoaded(woodsVersion());
  const refused = await enterIndex(settings, held, { self, say });
  if (refused !== null) return refused;

  const thread = openIndexThread({ root, indexDir: config.output, config });
  held.thread = thread;
  const capture = await thread.capture();
  // The index loads in its thread while the back end registers; what fails here fails again, and is told, at the first run.
  thread.open().catch(() => {});
  const assembled = assembleDaemon(settings, held, { thread, capture, self, say });
  return settings.duration === 'once'
    ? once(assembled.daemon, settings.mode.kind, say)
    : watch(settings, held, { ...assembled, capture, say });
}

async function once(daemon: Daemon, run: Settings['mode']['kind'], say: Say): Promise<End> {
  const end = await start(daemon, run, say);
  if (end !== null) return end;
  return daemon.condition().pending === 0 ? stoppedEnd('done') : failedEnd(null);
}

async function watch(
  settings: Settings,
  held: Resources,
  world: Assembled & { capture: BootCapture; say: Say },
): Promise<End> {
  const { daemon, learned, capture, say } = world;
  const { idleTimeoutMs, mode } = settings;
  const run = mode.kind;
  const { debounceMs } = settings.config.watch;
  const now = (): number => performance.now();
  const backend = await startBackend(settings, capture.hidden, say);
  held.backend = backend;
  held.status?.backend(backend.name);
  held.records.backendReady();
  introduce(settings, backend, say);
  const settler = openSettler({ debounceMs, maxWaitMs: MAX_SETTLE_MS, now });
  held.settler = settler;
  const end = await start(daemon, run, say);
  if (end !== null) return end;
  const lockMs = (): number | null => indexLockMs(capture.gitDir, Date.now());
  return watchLoop({
    backend,
    settler,
    daemon,
    learned,
    run,
    idleTimeoutMs,
    over: held.over.signal,
    indexLockMs: lockMs,
    say,
    now,
  });
}

async function start(daemon: Daemon, run: Settings['mode']['kind'], say: Say): Promise<End | null> {
  const first = daemon.condition().generation === null;
  const stopCounting = first ? countSeconds(process.stderr, 'indexing for the first time') : () => {};
  const { action, state, generation } = await daemon.start();
  stopCounting();
  if (action === 'restart') return restartEnd(run);
  if (state === 'running') say(`ready: generation ${generation}`);
  return null;
}

async function startBackend(settings: Settings, extra: readonly string[], say: Say): Promise<Backend> {
  const { root, config } = settings;
  const { backend, warning } = await createBackend({
    choice: settings.backend,
    root,
    indexDir: config.output,
    include: config.include,
    exclude: config.exclude,
    extra,
    intervalMs: config.watch.intervalMs,
  });
  if (warning !== null) say(warning);
  await backend.start();
  return backend;
}

function introduce({ root, config, mode }: Settings, backend: Backend, say: Say): void {
  const how = backend.name === 'polling' ? `polling every ${config.watch.intervalMs / 1000} s` : backend.name;
  say(`watching ${root} (${how})`);
  say(`the index is in ${config.output}`);
  say(mode.kind === 'managed' ? 'woods-watch starts and stops this worker' : 'Ctrl-C stops it');
}
