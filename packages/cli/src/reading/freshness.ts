import type { GenerationInfo, HeldFile } from '@woods/index';
import type { WatchStatus } from '@woods/protocol';
import { duration, onOneLine } from '../output/words.ts';
import type { WatchView } from '../watching/look.ts';
import { absence } from '../watching/words.ts';

/** What is known of how current an answer is. */
export interface Freshness {
  readonly watch: WatchView;
  readonly held: readonly HeldFile[];
  readonly generation: Pick<GenerationInfo, 'number' | 'publishedAt'>;
  /** Wall clock, ms. */
  readonly now: number;
}

/** One line that says why the answer may be stale; null when a worker keeps the index current and no file is held. */
export function stalenessLine({ watch, held, generation, now }: Freshness): string | null {
  const clauses = [workerClause(watch, generation, now), heldClause(held)].filter((clause) => clause !== null);
  return clauses.length === 0 ? null : `this may be stale: ${clauses.join('; ')}`;
}

function workerClause(watch: WatchView, generation: Freshness['generation'], now: number): string | null {
  if (watch.verdict === 'suspended') return `no worker is at work: ${absence(watch, now)}`;
  if (watch.alive) return watch.status.kind === 'ok' ? degradedClause(watch.status.value) : null;
  const { number, publishedAt } = generation;
  const age = `generation ${number} is ${duration(now - Date.parse(publishedAt))} old`;
  return `no worker is alive (${absence(watch, now)}), and ${age}; \`npx woods-watch\` keeps it current`;
}

/** Held files have a clause of their own, from the manifest. */
function degradedClause({ state, reason, detail }: WatchStatus): string | null {
  if (state === 'running' || reason === 'held') return null;
  const message = typeof detail?.message === 'string' ? `: ${detail.message}` : '';
  return `the worker is degraded (${onOneLine(`${reason ?? 'it does not say why'}${message}`)})`;
}

function heldClause(held: readonly HeldFile[]): string | null {
  const [first] = held;
  if (first === undefined) return null;
  const more = held.length === 1 ? '' : `, and ${held.length - 1} more`;
  return `held at the last good state: ${onOneLine(first.path)}:${first.line} ${onOneLine(first.reason)}${more}`;
}
