import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeWithTools } from '../support/tools.ts';
import { watch } from './support/woods-watch.ts';

const SCRIPT = fileURLToPath(new URL('./children/protocol.rb', import.meta.url));

describeWithTools('a child in Ruby', ['ruby'], () => {
  it('is followed to ready, restarted at its wish, and stopped by TERM, with descriptor 3 as a plain IO', async () => {
    const running = watch(['ruby', SCRIPT]);
    try {
      await running.says(/asked to be started again; starting it now/);
      await running.says(/ready, generation 1\n.*\n.*\n.*ready, generation 1/);
      expect(await running.reaches('ready', 'reconciled')).toMatchObject({ child_pid: expect.any(Number) });
      running.signal('SIGTERM');
      expect(await running.ended()).toEqual({ code: 0, signal: null });
      expect(existsSync(join(running.place.index, 'stopped'))).toBe(true);
      expect(running.stderr()).not.toMatch(/parked|killing|ended with/);
      expect(running.survivors()).toEqual([]);
    } finally {
      running.clean();
    }
  });
});
