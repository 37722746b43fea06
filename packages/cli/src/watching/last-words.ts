import { readWatchStatus } from '@woods/protocol';
import type { CommonOptions } from '../options/common.ts';
import { findPlace } from '../place/place.ts';
import type { Session } from '../session.ts';

/** What `woods watch --json` prints once the worker has ended: one line of JSON. */
export function lastWords(session: Session, options: CommonOptions, exitCode: number): string {
  const { root, indexDir } = findPlace(session, options);
  const read = readWatchStatus(indexDir);
  const status = read.kind === 'ok' ? read.value : null;
  const { state = null, reason = null, generation = null } = status ?? {};
  return `${JSON.stringify({ exit_code: exitCode, state, reason, generation, root, index: indexDir })}\n`;
}
