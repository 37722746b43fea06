/** `woods-watch` on an unchanged typeorm: from exec to `ready`. */
import { corpus, workingCopy } from './support/corpora.mjs';
import { figure, median, ms } from './support/figures.mjs';
import { binaries, launched, timed } from './support/processes.mjs';

const ROUNDS = 7;

export async function run() {
  const path = corpus('typeorm');
  if (path === null) return;
  const copy = workingCopy(path);
  try {
    await timed(binaries.woods, ['extract', '--root', copy.root], { cwd: '/' });
    const times = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const supervisor = launched(binaries.woodsWatch, ['--root', copy.root], { cwd: '/' });
      times.push(await supervisor.says(/\bready\b/));
      supervisor.kill('SIGTERM');
      await supervisor.exit;
    }
    figure(`start to ready on an unchanged typeorm, median of ${ROUNDS}`, ms(median(times)));
  } finally {
    copy.remove();
  }
}
