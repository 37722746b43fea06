import { describe, expect, it } from 'vitest';
import { script, start } from './support/process.ts';

describe('a subreaper', () => {
  it('gets the orphans below it, waits for none that lives, and reaps those that have ended', async () => {
    const process_ = await start(process.execPath, [script('reap.mjs')]);
    expect(JSON.parse(await process_.line())).toEqual({
      code: 7,
      before: 0,
      adopted: 2,
      living: [false, false],
      zombies: 2,
      reaped: [true, true],
      again: [true, true],
      after: 0,
    });
  });
});
