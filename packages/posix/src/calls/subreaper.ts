import { callError } from '../library/c-library.ts';
import { libc } from '../library/libc.ts';

const PR_SET_CHILD_SUBREAPER = 36;

/**
 * From now on a descendant whose parent has ended becomes our child, and no longer one of init (Linux). It is then ours to
 * `reap`. Children do not inherit this. Throws PosixUnavailable without koffi, and a system error when it is refused.
 */
export function becomeSubreaper(): void {
  const c = libc();
  if (c.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) === -1) throw callError('prctl', c.errno());
}
