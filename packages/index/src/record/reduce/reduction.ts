import type { Draft, FileDraft } from '../draft/draft.ts';
import type { Declaration } from '../file-record.ts';

/** A declaration before its unit and its namesakes are filled in. */
export type Content = Declaration extends infer D ? (D extends unknown ? Omit<D, 'unit' | 'also'> : never) : never;

/**
 * Only what an export or a site reaches is kept. Declarations get their numbers in the order in which they are reached,
 * so the ones that other files can see come first and keep their numbers when a body changes.
 */
export interface Reduction {
  readonly file: FileDraft;
  readonly reached: Draft[];
}

/** The number of a declaration in the record; null when nothing is known of it. */
export function numberOf(reduction: Reduction, draft: Draft): number | null {
  if (draft.content.kind === 'opaque' || draft.content.kind === 'type_parameter') return null;
  if (draft.number < 0) {
    draft.number = reduction.reached.length;
    reduction.reached.push(draft);
  }
  return draft.number;
}
