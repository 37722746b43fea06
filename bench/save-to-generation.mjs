/**
 * Save → readable generation in typeorm under woods-watch, debounce 0: from the end of the write to the moment when a
 * reader gets the new unit. Beside it the worker's own time for the run, since the polling interval is most of the rest.
 */
import { appendFileSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { openReader } from '@woods/index';
import { readWatchStatus } from '@woods/protocol';
import { corpus, workingCopy } from './support/corpora.mjs';
import { figure, median, ms, quantile } from './support/figures.mjs';
import { binaries, launched } from './support/processes.mjs';

const ROUNDS = 21;
const FILE = 'src/data-source/DataSource.ts';

export async function run() {
  const path = corpus('typeorm');
  if (path === null) return;
  const copy = workingCopy(path);
  const indexDir = join(copy.root, 'tmp/woods');
  const supervisor = launched(binaries.woodsWatch, ['--root', copy.root], {
    cwd: '/',
    env: { WOODS_WATCH_DEBOUNCE: '0' },
  });
  try {
    await supervisor.says(/\bready\b/);
    const reader = openReader(indexDir);
    const whole = [];
    const work = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = `bench_${round}`;
      const moved = pointerMoves(indexDir, () => reader.lookup(name).kind === 'found');
      appendFileSync(join(copy.root, FILE), `\nexport function ${name}(): number { return ${round}; }\n`);
      const saved = performance.now();
      whole.push((await moved) - saved);
      const status = readWatchStatus(indexDir);
      if (status.kind === 'ok' && typeof status.value.detail?.duration_ms === 'number')
        work.push(status.value.detail.duration_ms);
    }
    reader.close();
    figure(
      `save → readable generation, median / p95 of ${ROUNDS}`,
      `${ms(median(whole))} / ${ms(quantile(whole, 0.95))}`,
      '15 / 50 ms',
    );
    figure('  of which the run itself (record, link, publish)', `${ms(median(work))} / ${ms(quantile(work, 0.95))}`);
    figure(
      '  the rest is the polling interval',
      readFileSync(join(indexDir, 'watch_status.json'), 'utf8').length > 0 ? '1 s' : '?',
    );
  } finally {
    supervisor.kill('SIGTERM');
    await supervisor.exit;
    copy.remove();
  }
}

function pointerMoves(indexDir, readable) {
  return new Promise((resolve) => {
    const watcher = watch(indexDir, (_, name) => {
      if (name !== 'generation.json' || !readable()) return;
      const at = performance.now();
      watcher.close();
      resolve(at);
    });
  });
}
