import { errnoOf, printable, UsageError } from '@woods/protocol';
import { Failure, type FailureCode } from './failure.ts';

/** Codes of errors of the other packages (`IndexError`) that stand for themselves. */
const CODES: Readonly<Record<string, FailureCode>> = {
  not_found: 'not_found',
  invalid_arguments: 'invalid_arguments',
  not_configured: 'not_configured',
  stale_index: 'stale_index',
  degraded_index: 'degraded_index',
  empty_index: 'empty_index',
  corrupt_artifact: 'corrupt_artifact',
  locked: 'locked',
};

/** What to do when the system refuses. */
const SYSTEM: Readonly<Record<string, string>> = {
  EACCES: 'give this user the right, or name another place with --output',
  EPERM: 'give this user the right, or name another place with --output',
  EROFS: 'it is on a read-only file system; name another place with --output',
  ENOSPC: 'the disk is full; make room and run again, the last generation is untouched',
  EDQUOT: 'the quota is used up; make room and run again, the last generation is untouched',
  EMFILE: 'too many open files; raise the limit with `ulimit -n`',
  ENFILE: 'the system has too many open files; try again',
  ENOMEM: 'the system has no memory left; try again',
};

/**
 * Any thrown value as a failure in words for the user, without a stack. Errors of the other packages are told by their
 * `code`, not by their class: to know the class is to load the package, also for commands that do without it.
 */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof UsageError) return new Failure('invalid_arguments', error.message);
  const code = errnoOf(error) ?? '';
  const message = printable(error instanceof Error ? error.message : String(error));
  const own = CODES[code];
  if (own !== undefined) return new Failure(own, message);
  const hint = SYSTEM[code];
  if (hint !== undefined) return new Failure('unsupported_environment', message, { hint });
  const report = 'this is a defect of Woods: please report the call and this line';
  return new Failure('internal_error', message, { hint: report });
}
