/** What readers and writers of an index fail with. The codes are shared with the MCP server. */

export type IndexErrorCode =
  | 'not_found'
  | 'invalid_arguments'
  | 'not_configured'
  | 'stale_index'
  | 'degraded_index'
  | 'empty_index'
  | 'corrupt_artifact'
  | 'locked'
  | 'internal_error';

/** The message is for the user as it stands: what was expected, what was found, what to do. */
export class IndexError extends Error {
  override readonly name: string = 'IndexError';
  readonly code: IndexErrorCode;

  constructor(code: IndexErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A published file that cannot be used: `detail` says what was expected and found, and what to do is added. */
export function damaged(path: string, detail: string, options?: ErrorOptions): IndexError {
  // The system's message begins with its code; a file that may not be read is whole, and indexing does not help.
  const advice = /^(?:EACCES|EPERM)\b/.test(detail)
    ? 'give this user the right to read it'
    : 'run woods extract to publish anew';
  return new IndexError('corrupt_artifact', `${path}: ${detail}; ${advice}`, options);
}

/** An identifier that no unit has; `nearest` holds identifiers that look like it, best first, for the user to choose from. */
export class UnitNotFound extends IndexError {
  override readonly name = 'UnitNotFound';
  readonly nearest: readonly string[];

  constructor(identifier: string, nearest: readonly string[]) {
    const hint = nearest.length === 0 ? 'nothing looks like it' : `did you mean ${nearest.join(', ')}?`;
    super('not_found', `no unit is called ${identifier}; ${hint}`);
    this.nearest = nearest;
  }
}

/** One line of any thrown value, for messages. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
