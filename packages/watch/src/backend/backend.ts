import type { Batch } from './batch.ts';

export type BackendName = 'inotify' | 'fsevents' | 'polling';

type Availability = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** One way to learn of changes below a root. A backend is started once and closed once. */
export interface Backend {
  readonly name: BackendName;
  /** Whether it can work for this root here; changes nothing. */
  available(): Promise<Availability>;
  /** Resolves when every later change will be seen. @throws BackendFailure */
  start(): Promise<void>;
  /**
   * All that came since the last call, at once if there is anything, else when something comes, else an empty batch after
   * `timeoutMs`. One call at a time; a pending one resolves with an empty batch when the backend is closed.
   * @throws BackendFailure when the backend has died: nothing more will ever come.
   */
  wait(timeoutMs: number): Promise<Batch>;
  /**
   * How late a change may be seen, in milliseconds: the time between two looks at the tree, as of the last one; null
   * for a backend that is told of each change.
   */
  lagMs(): number | null;
  /** Stops watching and what it runs, within a second; may be called at any time and again. */
  close(): Promise<void>;
}

/** The backend cannot go on; its caller falls back to another or reports `degraded`. */
export class BackendFailure extends Error {
  override readonly name = 'BackendFailure';
  readonly backend: BackendName;

  constructor(backend: BackendName, detail: string) {
    super(`the ${backend} backend cannot go on: ${detail}`);
    this.backend = backend;
  }
}
