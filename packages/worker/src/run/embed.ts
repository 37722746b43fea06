/** A daemon for a host that owns its loop, such as a dev server: it says what changed, and nothing is watched. */
import { selfIdentity, UsageError } from '@woods/protocol';
import type { CycleResult } from '../cycle/daemon.ts';
import type { Condition } from '../status/condition.ts';
import { openIndexThread } from '../thread/handle.ts';
import { assembleDaemon } from './assemble.ts';
import { stoppedEnd } from './end.ts';
import { enterIndex } from './enter.ts';
import { readSettings, type WorkerOptions } from './options.ts';
import { openRecords } from './records.ts';
import { type Resources, shutDown } from './shutdown.ts';

export interface EmbeddedDaemon {
  /** What catching up came to; `restart` in it, or in any later result: close this one and open another. */
  readonly started: CycleResult;
  /** One whole cycle over these root-relative files. Cycles never overlap; never rejects for what a run came to. */
  process(paths: Iterable<string>): Promise<CycleResult>;
  /** Tries again what could not be done. */
  retry(): Promise<CycleResult>;
  condition(): Condition;
  /** Keeps what is owed, ends the index thread, and gives the index back. */
  close(): Promise<void>;
}

/** Takes the index, as `runWorker` does, and catches up. Throws UsageError when the index cannot be had. */
export async function openDaemon(
  options: Pick<WorkerOptions, 'root' | 'output' | 'maxFiles'> & { readonly say?: (line: string) => void } = {},
): Promise<EmbeddedDaemon> {
  const { say = () => {}, ...asked } = options;
  const settings = readSettings(asked, process.env, process.cwd());
  const held: Resources = { records: openRecords({ kind: 'unmanaged' }), over: new AbortController() };
  const close = () => shutDown(held, stoppedEnd(null), { threads: 'wait', say });
  try {
    const self = selfIdentity();
    const refused = await enterIndex(settings, held, { self, say });
    if (refused !== null) throw new UsageError(refused.line ?? 'the index cannot be had');
    const { root, config } = settings;
    held.thread = openIndexThread({ root, indexDir: config.output, config });
    const capture = await held.thread.capture();
    const { daemon } = assembleDaemon(settings, held, { thread: held.thread, capture, self, say });
    const started = await daemon.start();
    const { process: cycle, retry, condition } = daemon;
    return { started, process: cycle, retry, condition, close: async () => void (await close()) };
  } catch (error) {
    await close();
    throw error;
  }
}
