import { errnoOf, UsageError } from '@woods/protocol';
import { IndexError, messageOf } from '../../errors.ts';

/** A generation that was not published. The one before it is still the current one. */
export class PublishError extends IndexError {
  override readonly name = 'PublishError';
  /** Such as ENOSPC; null when no system call failed. */
  readonly errno: string | null;

  constructor(generation: number | null, cause: unknown) {
    const what = generation === null ? 'the next generation' : `generation ${generation}`;
    super('internal_error', `${what} was not published: ${messageOf(cause)}`, { cause });
    this.errno = errnoOf(cause);
  }
}

/** Runs a step of a publish. `generation` is null while its number is not known. */
export function attempt<T>(generation: number | null, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw asPublishError(generation, error);
  }
}

export function asPublishError(generation: number | null, error: unknown): Error {
  return error instanceof UsageError || error instanceof PublishError ? error : new PublishError(generation, error);
}
