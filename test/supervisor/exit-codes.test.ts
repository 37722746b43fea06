/** Every exit code and signal by which a child may end, and what becomes of woods-watch then. */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { SPEECH, speaking } from './support/speech.ts';
import { newTag } from './support/survivors.ts';
import { makeWorkplace, type Running, watch } from './support/woods-watch.ts';

const MANY_RUNS = fileURLToPath(new URL('./support/many-runs.mjs', import.meta.url));
const CODES = Array.from({ length: 256 }, (_, code) => code);
/** With both, woods-watch ends at the first end of its child, whatever that is. */
const ENDS = ['--exit-on-park', '--max-failures', '1'];
const PARKED = { leaving: { code: 78 }, event: 'parked' };
const failed = (code: number) => ({ leaving: { code }, event: 'too_many_failures' });

/** Runs a supervisor for each script and resolves with their ends; expects that nothing is left of any. */
async function endsOf(scripts: readonly string[]): Promise<unknown> {
  const place = makeWorkplace();
  const tag = newTag();
  const runner = spawn(process.execPath, [MANY_RUNS], {
    cwd: place.root,
    env: { ...process.env, ...tag.env, CHILD_INDEX: place.index },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const runs = scripts.map((script) => ({ args: ['--root', place.root, ...ENDS], script: SPEECH + script }));
  runner.stdin.end(JSON.stringify(runs));
  try {
    return await json(runner.stdout);
  } finally {
    rmSync(place.root, { recursive: true, force: true });
    expect(tag.survivors().filter((pid) => pid !== runner.pid)).toEqual([]);
  }
}

describe('(report 7) each of the 256 exit codes', () => {
  const becomes = (code: number) => (code === 0 || code === 126 || code === 127 ? PARKED : failed(code));

  it('is ours, or parks, after a child that was ready', async () => {
    expect(await endsOf(CODES.map((code) => `become_ready; exit ${code}`))).toEqual(CODES.map(becomes));
  }, 300_000);

  it('is ours, or parks, after a child that said nothing', async () => {
    expect(await endsOf(CODES.map((code) => `exit ${code}`))).toEqual(CODES.map(becomes));
  }, 300_000);

  it('parks after a last word that forbids another try', async () => {
    const script = (code: number) =>
      `say '"task_loaded","woods_version":"2.0.0"'; say '"terminal","reason":"already_running"'; exit ${code}`;
    expect(await endsOf(CODES.map(script))).toEqual(CODES.map(() => PARKED));
  }, 300_000);
});

describe('(report 7) a child that dies of a signal', () => {
  const { signals } = constants;
  const { SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH } = signals;
  const harmless: readonly number[] = [SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH];
  const deadly = [...new Set(Object.values(signals))].filter((number) => !harmless.includes(number));

  it.each([
    ['was ready', 'become_ready;'],
    ['said nothing', ''],
  ])('makes us end with 128 and its number, when it %s', async (_, before) => {
    const scripts = deadly.map((number) => `ulimit -c 0; ${before} kill -${number} $$; sleep 1000`);
    expect(deadly).toEqual(expect.arrayContaining([signals.SIGKILL, signals.SIGSEGV]));
    expect(await endsOf(scripts)).toEqual(deadly.map((number) => failed(128 + number)));
  });

  it.each([34, 50, 64])(
    'parks when it is a real-time signal (%i), which Node takes for exit code 0',
    async (number) => {
      expect(await endsOf([`become_ready; kill -${number} $$; sleep 1000`])).toEqual([PARKED]);
    },
  );
});

describe('the process itself', () => {
  const started: Running[] = [];

  afterEach(() => {
    for (const running of started.splice(0)) running.clean();
  });

  it.each([
    ['exit 0', 78],
    ['exit 1', 1],
    ['exit 2', 2],
    ['exit 75', 75],
    ['exit 78', 78],
    ['exit 127', 78],
    ['exit 128', 128],
    ['exit 255', 255],
    ['kill -KILL $$', 137],
  ])('ends with the code that was decided: %s', async (script, code) => {
    const running = watch(speaking(`become_ready; ${script}`), { args: ENDS });
    started.push(running);
    expect(await running.ended()).toEqual({ code, signal: null });
    expect(running.survivors()).toEqual([]);
  });
});
