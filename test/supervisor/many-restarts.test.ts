/** A supervisor that has restarted its child a thousand times holds no more than one that did so a hundred times. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { until } from '../support/until.ts';
import { eventually } from './support/eventually.ts';
import { speaking } from './support/speech.ts';
import { HURRIED, type Running, watch } from './support/woods-watch.ts';

const RESTARTS = rounds({ ci: 200, soak: 1_000 });
/** The heap breathes: it grows by some megabytes for about a hundred restarts, and then shrinks. So the lowest of a hundred are compared. */
const WINDOW = 100;
const WARM = 20;
/** Between the lowest points of two breaths; over 900 restarts it shows a leak of 7 KB each. 200 are few breaths, and tell less. */
const MOST_GROWTH_KB = RESTARTS >= 1_000 ? 6_144 : 10_240;
/** An attempt that is on its way out may still hold some; a leak would show as hundreds. */
const MOST_MORE_DESCRIPTORS = 5;
const FAILED_STARTS = 20;

interface Sample {
  readonly restarts: number;
  readonly descriptors: number;
  readonly dirtyKb: number;
}

describe('many restarts', () => {
  it(
    `keep memory and descriptors flat, ${RESTARTS} times`,
    async () => {
      const script = `become_ready; say '"terminal","reason":"restart_required"'; exit 75`;
      const running = watch(speaking(script), { program: HURRIED, env: { CLOCK_FACTOR: '2000' } });
      try {
        const samples: Sample[] = [];
        await until(
          () => {
            const sample = look(running);
            samples.push(sample);
            return sample.restarts >= RESTARTS;
          },
          { what: `${RESTARTS} restarts`, timeoutMs: RESTARTS * 1_000 },
        );
        const early = between(samples, WARM, WARM + WINDOW);
        const late = between(samples, RESTARTS - WINDOW, RESTARTS);
        expect(least(late, 'descriptors')).toBeLessThanOrEqual(least(early, 'descriptors') + MOST_MORE_DESCRIPTORS);
        expect(least(late, 'dirtyKb')).toBeLessThan(least(early, 'dirtyKb') + MOST_GROWTH_KB);
        running.signal('SIGTERM');
        expect(await running.ended()).toEqual({ code: 0, signal: null });
        expect(running.survivors()).toEqual([]);
      } finally {
        running.clean();
      }
    },
    30_000 + RESTARTS * 1_000,
  );
});

describe('attempts that do not come up', () => {
  it('keep no descriptor', async () => {
    const running = watch(speaking('become_ready; sleep 1000'), { program: HURRIED });
    try {
      await running.says(/ready, generation/);
      const before = descriptorsOf(running);
      for (let failure = 1; failure <= FAILED_STARTS; failure += 1) {
        await until(() => said(running, 'ready, generation') >= failure, { what: 'a start that succeeds' });
        const guardian = await eventually('a guardian', running.guardian);
        process.kill(guardian, 'SIGSTOP');
        running.signal('SIGUSR2');
        await until(() => said(running, 'as asked by USR2') >= failure, {
          what: 'a start that waits for its guardian',
        });
        process.kill(guardian, 'SIGKILL');
        await until(() => said(running, 'the guardian did not come up') >= failure, { what: 'a failed start' });
      }
      await until(() => said(running, 'ready, generation') > FAILED_STARTS, { what: 'a start that succeeds' });
      await until(() => descriptorsOf(running) <= before, { what: `${before} descriptors again`, timeoutMs: 10_000 });
    } finally {
      running.clean();
    }
  }, 60_000);
});

function said(running: Running, words: string): number {
  return running.stderr().split(words).length - 1;
}

function descriptorsOf(running: Running): number {
  return readdirSync(`/proc/${running.pid}/fd`).length;
}

function look(running: Running): Sample {
  const rollup = readFileSync(`/proc/${running.pid}/smaps_rollup`, 'latin1');
  return {
    restarts: said(running, 'asked to be started again'),
    descriptors: descriptorsOf(running),
    dirtyKb: Number(/Private_Dirty:\s+(\d+)/.exec(rollup)?.[1]),
  };
}

function between(samples: readonly Sample[], from: number, to: number): readonly Sample[] {
  const found = samples.filter(({ restarts }) => restarts >= from && restarts <= to);
  expect(found.length).toBeGreaterThan(5);
  return found;
}

function least(samples: readonly Sample[], what: 'descriptors' | 'dirtyKb'): number {
  return Math.min(...samples.map((sample) => sample[what]));
}
