/** Private_Dirty and PSS of supervisor and guardian together, when a child has run for a moment. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { figure, mb, median } from './support/figures.mjs';
import { binaries, children, launched, memory } from './support/processes.mjs';

const ROUNDS = 5;

export async function run() {
  const place = mkdtempSync(join(tmpdir(), 'woods-bench-'));
  const dirty = { supervisor: [], guardian: [], both: [] };
  const pss = { supervisor: [], guardian: [], both: [] };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const supervisor = launched(binaries.woodsWatch, ['--root', place], {
        cwd: '/',
        env: { WOODS_WATCH_DEBOUNCE: '0' },
      });
      await supervisor.says(/\bready\b/);
      const guardian = children(supervisor.pid).find(({ command }) => !command.includes('woods-worker'));
      if (guardian === undefined) throw new Error('no guardian beside the supervisor');
      const [own, its] = [memory(supervisor.pid), memory(guardian.pid)];
      for (const [target, key] of [
        [dirty, 'privateDirty'],
        [pss, 'pss'],
      ]) {
        target.supervisor.push(own[key]);
        target.guardian.push(its[key]);
        target.both.push(own[key] + its[key]);
      }
      supervisor.kill('SIGTERM');
      await supervisor.exit;
    }
    figure(
      'Private_Dirty, supervisor + guardian',
      `${mb(median(dirty.both))} (${mb(median(dirty.supervisor))} + ${mb(median(dirty.guardian))})`,
      '≤ 16 MB',
    );
    figure(
      'PSS, supervisor + guardian',
      `${mb(median(pss.both))} (${mb(median(pss.supervisor))} + ${mb(median(pss.guardian))})`,
    );
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
