import { acquireWriterLock } from '@woods/index';
import { readSupervisors } from '@woods/protocol';
import type { Answer } from '../output/answer.ts';
import { onOneLine } from '../output/words.ts';
import type { Session } from '../session.ts';
import { livenessView, lookAtWatch } from '../watching/look.ts';
import { inUse, refuseForeignDirectory, removeIndex } from './remove-index.ts';

/** Removes the index in a directory that is there; fails with `locked` when anything lives on it. */
export async function cleanIndex(indexDir: string, session: Session): Promise<Answer> {
  refuseForeignDirectory(indexDir);
  refuseLiving(indexDir, session);
  const lock = await acquireWriterLock(indexDir, { name: 'woods clean', waitMs: 0 });
  try {
    const { removed, left } = removeIndex(indexDir);
    const what = removed.length === 0 ? 'nothing to remove' : `removed ${removed.join(', ')}`;
    return {
      exitCode: 0,
      json: { removed, left, index: indexDir },
      text: [`${what} in ${onOneLine(indexDir)}`],
      words: left.length === 0 ? [] : [`left what Woods did not make: ${left.map(onOneLine).join(', ')}`],
    };
  } finally {
    lock.release();
  }
}

function refuseLiving(indexDir: string, session: Session): void {
  const { alive, status } = lookAtWatch(indexDir, session);
  if (alive && status.kind === 'ok') throw inUse(indexDir, `a worker (pid ${status.value.pid})`);
  const supervisor = readSupervisors(indexDir, livenessView()).records.find((record) => record.alive);
  if (supervisor !== undefined) throw inUse(indexDir, `a supervisor (pid ${supervisor.status.pid})`);
}
