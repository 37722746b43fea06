/** Cold `woods extract` of typeorm, published: wall time and peak resident set, records cache empty. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { commitOf, corpus, workingCopy } from './support/corpora.mjs';
import { figure, mb, median, ms } from './support/figures.mjs';
import { binaries, timed } from './support/processes.mjs';

const ROUNDS = 5;

export async function run() {
  const path = corpus('typeorm');
  if (path === null) return;
  const copy = workingCopy(path);
  try {
    const walls = [];
    const sizes = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rmSync(join(copy.root, 'tmp/woods'), { recursive: true, force: true });
      rmSync(join(copy.root, '.git/woods'), { recursive: true, force: true });
      const { wall, rss } = await timed(binaries.woods, ['extract', '--root', copy.root], { cwd: '/' });
      walls.push(wall);
      sizes.push(rss);
    }
    figure(`cold extract of typeorm (${commitOf(path)}), median of ${ROUNDS}`, ms(median(walls)), '≤ 4,000 ms');
    figure('peak resident set, median', mb(median(sizes)), '≤ 400 MB');
  } finally {
    copy.remove();
  }
}
