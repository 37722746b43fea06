/**
 * Save → readable generation in typeorm under woods-watch, debounce 0: from the end of the write to the moment when a
 * reader gets the new text. Beside it the worker's own time for the run, since waiting to see the change may be most of
 * the rest. Three kinds of save: a body in an ordinary file, a body in a hub (nobody else sees either), and a hub that
 * exports one name more, which hundreds of files see.
 */
import { readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openReader } from '@woods/index';
import { loadConfig, readWatchStatus } from '@woods/protocol';
import { corpus, workingCopy } from './support/corpora.mjs';
import { figure, median, ms, quantile } from './support/figures.mjs';
import { binaries, launched } from './support/processes.mjs';

const ROUNDS = 21;
const ORDINARY = 'src/util/DateUtils.ts';
const HUB = 'src/data-source/DataSource.ts';

/** What is appended once for a kind of save, and what stands in its place in each round. */
const KINDS = [
  {
    name: 'a body in an ordinary file',
    file: ORDINARY,
    bar: '15 / 50 ms',
    text: (round) => `function saved(): number { return ${round}; }\nexport function measured() { return saved(); }\n`,
  },
  {
    name: 'a body in a hub',
    file: HUB,
    bar: '15 / 50 ms',
    text: (round) => `function saved(): number { return ${round}; }\nexport function measured() { return saved(); }\n`,
  },
  {
    name: 'a hub that exports one name more',
    file: HUB,
    bar: '300 ms',
    text: (round) => `export function measured_${round}(): number { return ${round}; }\n`,
  },
];

export async function run() {
  const path = corpus('typeorm');
  if (path === null) return;
  const copy = workingCopy(path);
  const indexDir = join(copy.root, 'tmp/woods');
  const env = { WOODS_WATCH_DEBOUNCE: '0' };
  const supervisor = launched(binaries.woodsWatch, ['--root', copy.root], { cwd: '/', env });
  try {
    await supervisor.says(/\bready\b/);
    const reader = openReader(indexDir);
    for (const kind of KINDS) await measure(kind, { root: copy.root, indexDir, reader });
    reader.close();
    figure('waiting to see a change', waitingFor(copy.root, statusOf(indexDir)));
  } finally {
    supervisor.kill('SIGTERM');
    await supervisor.exit;
    copy.remove();
  }
}

async function measure({ name, file, bar, text }, { root, indexDir, reader }) {
  const path = join(root, file);
  const original = readFileSync(path, 'utf8');
  const save = async (contents) => {
    const readable = eventually(indexDir, () => reader.source(file) === contents);
    writeFileSync(path, contents);
    const saved = performance.now();
    const whole = (await readable) - saved;
    const generation = reader.generation().number;
    await eventually(indexDir, () => statusOf(indexDir)?.generation === generation);
    return { whole, run: statusOf(indexDir).detail.duration_ms };
  };
  // The first save gives the file the shape that a change of a body leaves alone; it is not counted.
  await save(`${original}\n${text(0)}`);
  const saves = [];
  for (let round = 1; round <= ROUNDS; round += 1) saves.push(await save(`${original}\n${text(round)}`));
  await save(original);
  figure(`${name}: save → readable, median / p95 of ${ROUNDS}`, both(saves.map(({ whole }) => whole)), bar);
  figure('  of which the run itself (record, link, publish)', both(saves.map(({ run }) => run)));
}

const both = (values) => `${ms(median(values))} / ${ms(quantile(values, 0.95))}`;

function statusOf(indexDir) {
  const status = readWatchStatus(indexDir);
  return status.kind === 'ok' ? status.value : null;
}

/** As the worker itself has it: its backend from its status, the interval from the configuration that it reads. */
function waitingFor(root, status) {
  const backend = status?.detail?.backend ?? 'unknown';
  if (backend !== 'polling') return backend;
  return `polling every ${ms(loadConfig({ root, env: process.env, flags: {} }).watch.intervalMs)}`;
}

/** The moment when something that stands in the index directory came true. */
function eventually(indexDir, isSo) {
  return new Promise((resolve) => {
    const watcher = watch(indexDir, look);
    function look() {
      if (!isSo()) return;
      const at = performance.now();
      watcher.close();
      resolve(at);
    }
    look();
  });
}
