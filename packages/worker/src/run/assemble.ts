/** The daemon with its real collaborators. */
import { relative } from 'node:path';
import { type Pointer, readPointer, type selfIdentity } from '@woods/protocol';
import { openBootFiles } from '../boot/boot-files.ts';
import type { BootCapture } from '../boot/capture.ts';
import { createDaemon, type Daemon } from '../cycle/daemon.ts';
import { messageOf } from '../cycle/words.ts';
import { loadPending, savePending } from '../pending/file.ts';
import type { Pending } from '../pending/pending.ts';
import type { Learned } from '../policy/classify.ts';
import { profileLine } from '../status/profile.ts';
import { openStatusSink } from '../status/sink.ts';
import type { IndexThread } from '../thread/handle.ts';
import { openGate } from './gate.ts';
import type { Settings } from './options.ts';
import type { Resources } from './shutdown.ts';

export interface Assembled {
  readonly daemon: Daemon;
  readonly learned: Learned;
}

export interface Booted {
  readonly thread: IndexThread;
  readonly capture: BootCapture;
  readonly self: ReturnType<typeof selfIdentity>;
  readonly say: (line: string) => void;
}

/** A daemon must not wait for a writer, since it tries again; a run of one scan has no second chance. */
const LOCK_WAIT_MS = { until_stopped: 1000, once: 30_000 } as const;

/** Leaves in `held` what has to be taken back, and shows the first status. */
export function assembleDaemon(settings: Settings, held: Resources, booted: Booted): Assembled {
  const { config, root } = settings;
  const { thread, capture, self, say } = booted;
  const indexDir = config.output;
  const learned = { extended: new Set(capture.extended), indexDir: below(root, indexDir) };
  const bootFiles = openBootFiles(root, capture.digests);
  const gate = openGate(indexDir, { waitMs: LOCK_WAIT_MS[settings.duration] });
  const status = openStatusSink(indexDir, self, say);
  const pointer = (): Pointer | null => {
    const read = readPointer(indexDir);
    return read.kind === 'ok' ? read.value : null;
  };
  const daemon = createDaemon(
    {
      runner: thread,
      gate,
      bootFiles,
      learned,
      fullThreshold: config.watch.fullThreshold,
      pointer,
      owned: () => held.claim?.owned() ?? true,
      keep: (pending) => keep(indexDir, pending, say),
      onCondition: (condition) => {
        status.show(condition);
        held.records.condition(condition);
      },
      onPhases: (phases, totalMs) => {
        if (settings.profile === 'on') say(profileLine(phases, totalMs));
      },
      say,
      now: () => performance.now(),
    },
    { pending: loadPending(indexDir), pointer: pointer(), catchUp: config.watch.catchUp ? 'on' : 'off' },
  );
  held.gate = gate;
  held.status = status;
  held.daemon = daemon;
  status.show(daemon.condition());
  return { daemon, learned };
}

function keep(indexDir: string, pending: Pending, say: (line: string) => void): void {
  try {
    savePending(indexDir, pending);
  } catch (error) {
    say(`what is owed to the index could not be noted, so only this process knows it: ${messageOf(error)}`);
  }
}

function below(root: string, directory: string): string | null {
  const path = relative(root, directory);
  return path === '' || path.startsWith('..') ? null : path;
}
