import { EXIT } from './exit-codes.ts';

/**
 * The user asked for something that cannot be done as asked. The message is printed as it stands, so it says what was
 * expected, what was found and what to do; the process then ends with `exitCode`.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode = EXIT.usage;
}
