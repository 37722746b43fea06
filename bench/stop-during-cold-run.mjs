/** TERM to the worker's exit while it records typeorm from nothing: the main thread must not be busy. */
import { existsSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { corpus, workingCopy } from './support/corpora.mjs';
import { figure, median, ms } from './support/figures.mjs';
import { binaries, launched } from './support/processes.mjs';

const ROUNDS = 9;

export async function run() {
  const path = corpus('typeorm');
  if (path === null) return;
  const copy = workingCopy(path);
  try {
    const times = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rmSync(join(copy.root, 'tmp/woods'), { recursive: true, force: true });
      rmSync(join(copy.root, '.git/woods'), { recursive: true, force: true });
      const worker = launched(binaries.worker, ['--root', copy.root], { cwd: copy.root });
      await lockTaken(join(copy.root, 'tmp'));
      await after(200 + round * 200);
      const sent = performance.now();
      worker.kill('SIGTERM');
      times.push((await worker.exit).at - sent);
    }
    figure(
      `TERM to exit during a cold run, median / worst of ${ROUNDS}`,
      `${ms(median(times))} / ${ms(Math.max(...times))}`,
      '≤ 50 ms',
    );
  } finally {
    copy.remove();
  }
}

function lockTaken(directory) {
  const lock = join(directory, 'woods/extraction.lock');
  return new Promise((resolve) => {
    const look = () => {
      if (!existsSync(lock)) return;
      watcher?.close();
      clearInterval(interval);
      resolve();
    };
    const watcher = existsSync(directory) ? watch(directory, look) : null;
    const interval = setInterval(look, 10);
  });
}
