/** The life of a worker: enter, capture, watch, catch up, and then the loop. */
import { selfIdentity } from '@woods/protocol';
import { type Backend, createBackend, openSettler } from '@woods/watch';
import type { BootCapture } from '../boot/capture.ts';
import { hiddenByName } from '../boot/hidden.ts';
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
  const { root, config, mode } = settings;
  const self = selfIdentity();
  held.records.taskLoaded(woodsVersion());
  const progress = openProgress(process.stderr);
  const thread = openIndexThread({ root, indexDir: config.output, config }, { onProgress: progress.tell });
  held.thread = thread;
  const capturing = ahead(thread.capture());
  const refused = await enterIndex(settings, held, { self, say });
  if (refused !== null) return refused;

  // Capture and back end look at the tree at the same time, each in its thread. What changes in between is found either way.
  const watching = settings.duration === 'once' ? null : ahead(startBackend(settings, held, say));
  const capture = await capturing;
  // The index loads while the back end registers; what fails here fails again, and is told, at the first run.
  ahead(thread.open());
  const assembled = assembleDaemon(settings, held, { thread, capture, self, say });
  const world: World = { ...assembled, run: mode.kind, thread, capture, progress, say };
  return watching === null ? once(world) : watch(settings, held, { ...world, backend: await watching });
}

/** Begun now, awaited later: a failure in between is not an unhandled one. */
function ahead<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
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

async function watch(settings: Settings, held: Resources, world: World & { backend: Backend }): Promise<End> {
  const { daemon, learned, run, thread, capture, say } = world;
  const { idleTimeoutMs, config } = settings;
  const { debounceMs } = config.watch;
  const now = (): number => performance.now();
  const backend = await alsoWatching(capture.hidden, world.backend, { settings, held, say });
  held.status?.backend(backend);
  held.records.backendReady();
  introduce(settings, backend, say);
  const settler = openSettler({ debounceMs, maxWaitMs: MAX_SETTLE_MS, now });
  held.settler = settler;
  const end = await start(world);
  if (end !== null) return end;
  ahead(thread.prepare());
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

/** The hidden files that can be named without having looked at the tree are watched from the start. */
async function startBackend(
  settings: Settings,
  held: Resources,
  say: Say,
  extra: readonly string[] = hiddenByName(settings.root),
): Promise<Backend> {
  const { root, config } = settings;
  const backend = await createBackend({
    choice: settings.backend,
    root,
    indexDir: config.output,
    include: config.include,
    exclude: config.exclude,
    extra,
    intervalMs: config.watch.intervalMs,
    warn: say,
  });
  held.backend = backend;
  await backend.start();
  return backend;
}

/** Another back end in the few trees where a tsconfig extends a file that the ignore rules hide. */
async function alsoWatching(
  hidden: readonly string[],
  started: Backend,
  { settings, held, say }: { settings: Settings; held: Resources; say: Say },
): Promise<Backend> {
  const watched = new Set(hiddenByName(settings.root));
  if (hidden.every((path) => watched.has(path))) return started;
  await started.close();
  return startBackend(settings, held, say, [...watched, ...hidden]);
}

function introduce({ root, config, mode }: Settings, backend: Backend, say: Say): void {
  const lagMs = backend.lagMs();
  const how = lagMs === null ? backend.name : `${backend.name}: a change is seen within ${(lagMs / 1000).toFixed(1)} s`;
  say(`watching ${root} (${how})`);
  say(`the index is in ${config.output}`);
  say(mode.kind === 'managed' ? 'woods-watch starts and stops this worker' : 'Ctrl-C stops it');
}
