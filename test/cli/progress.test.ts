import { describe, expect, it } from 'vitest';
import { progressOf } from '../../packages/cli/src/writing/progress.ts';

describe('progress', () => {
  it('moves every 100 ms, and says what comes after the last file', () => {
    const shown: (string | null)[] = [];
    let now = 0;
    const onProgress = progressOf('woods extract', { progress: (text) => shown.push(text) }, () => now);
    for (let done = 1; done <= 1_200; done += 1) {
      now += 0.25;
      onProgress(done, 1_200);
    }
    expect(shown).toEqual([
      'woods extract: 1 of 1,200 files',
      'woods extract: 401 of 1,200 files',
      'woods extract: 801 of 1,200 files',
      'woods extract: 1,200 of 1,200 files; linking and publishing',
    ]);
  });
});
