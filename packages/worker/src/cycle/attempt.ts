/** One run under the writer lock, with every way it can fail turned into what is owed and why. */
import type { RunResult } from '@woods/index';
import type { Pointer } from '@woods/protocol';
import { type Pending, WHOLE_TREE_PENDING } from '../pending/pending.ts';
import type { Trouble } from '../status/condition.ts';
import { type Collaborators, RunFailed } from './collaborators.ts';
import { owedByRun } from './owed.ts';
import type { Run } from './plan.ts';
import { messageOf } from './words.ts';

export type Outcome =
  | { readonly kind: 'done'; readonly result: RunResult }
  | { readonly kind: 'trouble'; readonly trouble: Trouble; readonly owed: Pending };

/** Never rejects. */
export async function attemptRun(parts: Collaborators, run: Run): Promise<Outcome> {
  const owed = owedByRun(run);
  const began = parts.now();
  try {
    const gate = await parts.gate.lock();
    if (gate.kind === 'busy') return { kind: 'trouble', owed, trouble: { reason: 'contended', message: gate.message } };
    const locked = parts.now();
    try {
      const ran = await (run.kind === 'update' ? parts.runner.update(run.paths) : parts.runner.verify(run.reason));
      parts.onPhases([['lock', locked - began], ...ran.phases], parts.now() - began);
      return landed(ran, owed, parts.pointer());
    } finally {
      gate.release();
    }
  } catch (error) {
    return failed(error, owed);
  }
}

export function sameGeneration(a: Pointer | null, b: Pointer | null): boolean {
  return a?.number === b?.number && a?.token === b?.token;
}

function landed(ran: RunResult, owed: Pending, published: Pointer | null): Outcome {
  if (ran.outcome === 'unchanged' || sameGeneration(ran.pointer, published)) return { kind: 'done', result: ran };
  const message = `generation ${ran.pointer?.number ?? '?'} was published, but generation.json does not name it`;
  return { kind: 'trouble', owed, trouble: { reason: 'publish_failed', message } };
}

/** A thread that died took its memory with it, so that the whole tree has to be compared again. */
function failed(error: unknown, owed: Pending): Outcome {
  const reason = error instanceof RunFailed ? error.cause : 'extraction_failed';
  const trouble = { reason, message: messageOf(error) };
  return { kind: 'trouble', owed: reason === 'thread_died' ? WHOLE_TREE_PENDING : owed, trouble };
}
