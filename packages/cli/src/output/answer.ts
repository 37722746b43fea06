import type { Failure } from '../errors/failure.ts';

/** What a command has to say once it is done. */
export interface Answer {
  /** 0: done; 1: not found, findings, not alive; 2: the call or its surroundings are wrong. */
  readonly exitCode: 0 | 1 | 2;
  /** The whole answer for `--json`; keys in snake_case. */
  readonly json: { readonly [key: string]: unknown };
  /** The answer for people: lines without their ends. */
  readonly text: Iterable<string>;
  /** Words for stderr, with and without `--json`. */
  readonly words: readonly string[];
}

/** A failure as an answer: words on stderr, nothing but the `error` object on stdout, and that with `--json` only. */
export function failureAnswer(failure: Failure): Answer {
  const { code, message, hint, detail, exitCode, lines } = failure;
  return {
    exitCode,
    json: { error: { code, message, hint, ...detail } },
    text: [],
    words: [hint === null ? message : `${message}; ${hint}`, ...lines.map((line) => `  ${line}`)],
  };
}
