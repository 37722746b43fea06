/** The life of a worker: enter, capture, watch, catch up, and then the loop. */
import { selfIdentity } from '@woods/protocol';
import { type Backend, createBackend, openSettler } from '@woods/watch';
import type { BootCapture } from '../boot/capture.ts';
import { woodsVersion } from '../boot/version.ts';
import { type IndexThread, openIndexThread } from '../thread/handle.ts';
import { type Assembled, assembleDaemon } from './assemble.ts';
import { type End, failedEnd, restartEnd, stoppedEnd } from './end.ts';
import { enterIndex } from './enter.ts';
import { indexLockMs } from './git-lock.ts';
import { watchLoop } from './loop.ts';
import type { Settings } from './options.ts';
import { openProgress, type Progress } from './progress.ts';
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

  const progress = openProgress(process.stderr);
  const thread = openIndexThread({ root, indexDir: config.output, config }, { onProgress: progress.tell });
  held.thread = thread;
  const capture = await thread.capture();
  // The index loads in its thread while the back end registers; what fails here fails again, and is told, at the first run.
  thread.open().catch(() => {});
  const assembled = assembleDaemon(settings, held, { thread, capture, self, say });
  const world: World = { ...assembled, run: settings.mode.kind, thread, capture, progress, say };
  return settings.duration === 'once' ? once(world) : watch(settings, held, world);
}

interface World extends Assembled {
  readonly run: 'managed' | 'unmanaged';
  readonly thread: IndexThread;
  readonly capture: BootCapture;
  readonly progress: Progress;
  readonly say: Say;
}

async function once(world: World): Promise<End> {
  const end = await start(world);
  if (end !== null) return end;
  return world.daemon.condition().pending === 0 ? stoppedEnd('done') : failedEnd(null);
}

async function watch(settings: Settings, held: Resources, world: World): Promise<End> {
  const { daemon, learned, run, thread, capture, say } = world;
  const { idleTimeoutMs, config } = settings;
  const { debounceMs } = config.watch;
  const now = (): number => performance.now();
  const backend = await startBackend(settings, capture.hidden, say);
  held.backend = backend;
  held.status?.backend(backend.name);
  held.records.backendReady();
  introduce(settings, backend, say);
  const settler = openSettler({ debounceMs, maxWaitMs: MAX_SETTLE_MS, now });
  held.settler = settler;
  const end = await start(world);
  if (end !== null) return end;
  // What fails here fails again, and is told, when a change needs it.
  thread.prepare().catch(() => {});
  const lockMs = (): number | null => indexLockMs(capture.gitDir, Date.now());
  const over = held.over.signal;
  return watchLoop({ backend, settler, daemon, learned, run, idleTimeoutMs, over, indexLockMs: lockMs, say, now });
}

async function start({ daemon, run, progress, say }: World): Promise<End | null> {
  if (daemon.condition().generation === null) progress.begin();
  const { action, state, generation } = await daemon.start();
  progress.end();
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
