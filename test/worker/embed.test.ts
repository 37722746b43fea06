/** The daemon inside a host that owns its loop. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@woods/protocol';
import { type EmbeddedDaemon, openDaemon } from '@woods/worker';
import { afterEach, describe, expect, it } from 'vitest';
import { makeProject, removeProjects, save } from '../support/project.ts';
import { generationOf, indexOf, statusOf } from './support/index-place.ts';

let daemon: EmbeddedDaemon | null = null;
afterEach(async () => {
  await daemon?.close();
  daemon = null;
  removeProjects();
});

describe('openDaemon', () => {
  it('catches up, and process is one whole cycle', async () => {
    const root = makeProject();
    daemon = await openDaemon({ root });
    expect(daemon.started).toMatchObject({ action: 'verify', state: 'running', generation: 1 });
    save(root, 'src/tree.ts', 'export const apple = 1;\n');
    expect(await daemon.process(['src/tree.ts', 'logo.png'])).toEqual({
      action: 'update',
      state: 'running',
      generation: 2,
      count: 1,
      durationMs: expect.any(Number),
    });
    expect(await daemon.process(['logo.png'])).toMatchObject({ action: 'none', generation: 2 });
    expect(generationOf(root)).toBe(2);
    save(root, 'package.json', '{ "name": "orchard", "version": "2.0.0" }\n');
    expect(await daemon.process(['package.json'])).toMatchObject({ action: 'restart', state: 'degraded' });
  });

  it('has the index for itself, and gives it back', async () => {
    const root = makeProject();
    daemon = await openDaemon({ root });
    await expect(openDaemon({ root })).rejects.toThrow(UsageError);
    await daemon.close();
    expect(statusOf(root).state).toBe('stopped');
    expect(existsSync(join(indexOf(root), 'watch_claim.json'))).toBe(false);
    daemon = await openDaemon({ root });
    expect(daemon.condition()).toMatchObject({ trouble: null, generation: 1, caughtUp: true });
  });
});
