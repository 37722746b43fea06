import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPointer } from '@woods/protocol';
import { afterEach, expect, it } from 'vitest';
import { loadPublished } from '../../packages/index/src/store/index.ts';
import { validateIndex } from '../../packages/index/src/validate/index.ts';
import { rounds } from '../support/rounds.ts';
import { endAll, start } from '../support/running.ts';
import { fileBlock, publish, removeIndexDirs, temporaryIndexDir } from './support/store-blocks.ts';

const CHILD = fileURLToPath(new URL('support/store-child.mjs', import.meta.url));

afterEach(() => {
  endAll();
  removeIndexDirs();
});

const publisher = (indexDir: string, ...more: string[]) =>
  start(process.execPath, [CHILD, 'publish', indexDir, ...more], { cwd: dirname(indexDir) });

const currentNumber = (indexDir: string): number => {
  const read = readPointer(indexDir);
  if (read.kind === 'missing') return 0;
  if (read.kind === 'corrupt') throw new Error(read.detail);
  return read.value.number;
};

/** Generations that a run of a publisher said it had published. */
const saidNumbers = (output: string): number[] =>
  [...output.matchAll(/published (\d+)/g)].map(([, number]) => Number(number));

/** Whole, and the last generation that was said or the one after it, whose word was lost with its publisher. */
function expectWhole(indexDir: string, before: number, output: string): void {
  const last = saidNumbers(output).at(-1) ?? before;
  const number = currentNumber(indexDir);
  expect([last, last + 1]).toContain(number);
  if (number === 0) return;
  expect(validateIndex(indexDir)).toEqual({ findings: [], generation: number });
  const published = loadPublished(indexDir);
  if (published.kind === 'none') throw new Error(published.reason);
  expect(published.paths).toHaveLength(12);
  // Each publish replaced one file, and each file that the generation has is of its newest publish.
  const newest = published.paths.map((path) => published.blockOf(path)?.units[0]?.metadata.version);
  expect(Math.max(...newest.map(Number))).toBe(number - 1);
}

it('a publisher killed at any moment leaves the old generation or the new one, whole', {
  timeout: 300_000,
}, async () => {
  const indexDir = temporaryIndexDir();
  for (let round = 0; round < rounds({ ci: 25, soak: 200 }); round += 1) {
    const before = currentNumber(indexDir);
    const child = publisher(indexDir);
    await child.line(/published/);
    // The moment is the point of the test: anywhere in the next publishes.
    const delay = Math.random() * 60;
    await new Promise((resolve) => setTimeout(resolve, delay));
    child.signal('SIGKILL');
    await child.exit;
    expectWhole(indexDir, before, child.output());
  }
  expect(currentNumber(indexDir)).toBeGreaterThan(25);
});

it('a publisher killed before any single change to the disk leaves a whole generation', {
  timeout: 300_000,
}, async () => {
  const apart = rounds({ ci: 17, soak: 1 });
  for (let point = 1; point < 270; point += apart) {
    const indexDir = temporaryIndexDir();
    const child = publisher(indexDir, String(point));
    expect(await child.exit).toEqual({ code: null, signal: 'SIGKILL' });
    expectWhole(indexDir, 0, child.output());
    const number = currentNumber(indexDir);
    const { pointer } = await publish(indexDir, number === 0 ? [] : [fileBlock('src/file0.ts', { units: ['value'] })]);
    expect(pointer.number).toBe(number + 1);
    expect(validateIndex(indexDir)).toEqual({ findings: [], generation: number + 1 });
    const may = [number - 1, number, number + 1].map((generation) => `gen-${generation}`);
    expect(may).toEqual(expect.arrayContaining(readdirSync(join(indexDir, 'payloads'))));
    // A merge that was half prepared, or taken and not yet removed, is gone as well.
    expect(existsSync(join(indexDir, 'merge'))).toBe(existsSync(join(indexDir, 'merge', 'merge.json')));
  }
});
