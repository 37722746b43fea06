import { printable } from '../values/quote.ts';

/** Why a record, or the channel itself, makes its attempt incompatible. */
export interface Refusal {
  /** For machines: matches `[a-z_]{1,80}`. */
  readonly reason: string;
  /** For the user: one line that says what was expected and what was found, safe to print. */
  readonly detail: string;
}

export type Verdict<E> =
  | { readonly ok: true; readonly event: E; readonly pid: number }
  | ({ readonly ok: false } & Refusal);

export function refuse(reason: string, detail: string): { readonly ok: false } & Refusal {
  return { ok: false, reason, detail: printable(detail) };
}
