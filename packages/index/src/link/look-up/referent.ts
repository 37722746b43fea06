import type { Resolution } from '../../model.ts';
import type { Definition, LinkFile } from '../link-file.ts';

/** Ways of finding something, from the surest to the one with most steps in between. */
const STEPS: readonly Resolution[] = ['scope', 'import', 'declared', 'inferred'];

/** What a name stands for: a declaration, or all exports of a file. `by` says how it was found. */
export type Referent =
  | { readonly kind: 'declaration'; readonly definition: Definition; readonly by: Resolution }
  | { readonly kind: 'module'; readonly file: LinkFile; readonly by: Resolution };

/**
 * What members are looked up in. `static` is the class, function or namespace itself; `instance` is an instance of the
 * class, or the object literal.
 */
export type Value =
  | { readonly kind: 'static' | 'instance'; readonly definition: Definition; readonly by: Resolution }
  | { readonly kind: 'module'; readonly file: LinkFile; readonly by: Resolution };

/** Of two steps on the way to an answer, the one that names the whole way. */
export function weaker(one: Resolution, other: Resolution): Resolution {
  return STEPS.indexOf(one) >= STEPS.indexOf(other) ? one : other;
}
