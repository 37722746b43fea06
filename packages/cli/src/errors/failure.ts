/** Codes of `{"error": {"code"}}`: those of index errors, and those of the command line. */
export type FailureCode =
  | 'invalid_arguments'
  | 'not_found'
  | 'ambiguous'
  | 'not_configured'
  | 'stale_index'
  | 'degraded_index'
  | 'empty_index'
  | 'corrupt_artifact'
  | 'locked'
  | 'unsupported_environment'
  | 'internal_error';

export interface FailureOptions {
  /** What to do about it, one line. */
  readonly hint?: string;
  /** 1: no answer; 2: the call itself or its surroundings are wrong, and nothing was started. */
  readonly exitCode?: 1 | 2;
  /** Added to the `error` object of `--json`: candidates, nearest names. */
  readonly detail?: { readonly [key: string]: unknown };
  /** Further lines for a reader of text, below the message. */
  readonly lines?: readonly string[];
}

/** Ends a command with words for the user: what was expected, what was found, what to do. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly hint: string | null;
  readonly exitCode: 1 | 2;
  readonly detail: { readonly [key: string]: unknown };
  readonly lines: readonly string[];

  constructor(code: FailureCode, message: string, options: FailureOptions = {}) {
    super(message);
    this.code = code;
    this.hint = options.hint ?? null;
    this.exitCode = options.exitCode ?? (code === 'invalid_arguments' ? 2 : 1);
    this.detail = options.detail ?? {};
    this.lines = options.lines ?? [];
  }
}
