import { describe, expect, it } from 'vitest';
import { script, start } from './support/process.ts';

describe('exitNow', () => {
  it('ends the process in the middle of a busy thread, after its exit listeners', async () => {
    const process_ = await start(process.execPath, [script('exit.mjs')]);
    expect(await process_.line()).toBe('exit 7');
    expect(await process_.ended).toEqual([7, null]);
  });
});
