import type { HeldFile, RunResult } from '@woods/index';
import type { Pointer } from '@woods/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Collaborators, RunFailed } from '../../packages/worker/src/cycle/collaborators.ts';
import { createDaemon, type DaemonStart } from '../../packages/worker/src/cycle/daemon.ts';
import {
  NOTHING_PENDING,
  type Pending,
  pendingPaths,
  WHOLE_TREE_PENDING,
} from '../../packages/worker/src/pending/pending.ts';
import { type Condition, startupRecord } from '../../packages/worker/src/status/condition.ts';

const held = (path: string): HeldFile => ({ path, line: 3, reason: "';' expected", since: '2026-08-01T00:00:00.000Z' });

/** An index that answers as it is told to, and writes down what was asked of it. */
function fakeIndex(start: Partial<DaemonStart> = {}) {
  const ran: string[] = [];
  const said: string[] = [];
  const kept: Pending[] = [];
  const conditions: Condition[] = [];
  const world = {
    number: 1,
    published: { number: 1, token: 'token-1' } as Pointer,
    next: 'publish' as 'publish' | 'unchanged' | 'busy' | 'throw' | 'die' | 'unmoved' | 'hang',
    held: [] as HeldFile[],
    changedSinceBoot: new Set<string>(),
    owned: true,
    locks: 0,
    clock: 0,
    unhang: () => {},
  };
  async function answer(what: string): Promise<RunResult> {
    expect(world.locks).toBe(1);
    ran.push(what);
    world.clock += 7;
    if (world.next === 'throw') throw new RunFailed('extraction_failed', 'src/a.ts: the disk is full');
    if (world.next === 'die') throw new RunFailed('thread_died', 'the index thread ran out of memory');
    if (world.next === 'hang') await new Promise<void>((resolve) => (world.unhang = resolve));
    const number = world.number + 1;
    const pointer = { number, token: `token-${number}`, updated_at: '', reason: '', payload: '' };
    if (world.next !== 'unchanged') world.number = number;
    if (world.next === 'publish' || world.next === 'hang') world.published = pointer;
    return {
      outcome: world.next === 'unchanged' ? 'unchanged' : 'published',
      pointer: world.next === 'unchanged' ? world.published : pointer,
      held: world.held,
      changed: 2,
      removed: 1,
      phases: [],
    } as unknown as RunResult; // only what the daemon reads
  }
  const parts: Collaborators = {
    runner: {
      update: (paths) => answer(`update ${[...paths].sort().join(' ')}`),
      verify: (reason) => answer(`verify ${reason}`),
    },
    gate: {
      lock: async () => {
        if (world.next === 'busy') return { kind: 'busy', message: 'woods extract (pid 7) is writing' };
        world.locks += 1;
        return {
          kind: 'held',
          release: () => {
            world.locks -= 1;
          },
        };
      },
    },
    bootFiles: {
      changed: async (paths) => [...paths].filter((path) => world.changedSinceBoot.has(path)),
      allChanged: async () => [...world.changedSinceBoot],
    },
    learned: { extended: new Set(), indexDir: 'tmp/woods' },
    fullThreshold: 50,
    pointer: () => world.published,
    owned: () => world.owned,
    keep: (pending) => kept.push(pending),
    onCondition: (condition) => conditions.push(condition),
    onPhases: () => {},
    say: (line) => said.push(line),
    now: () => world.clock,
  };
  const daemon = createDaemon(parts, { pending: NOTHING_PENDING, pointer: world.published, catchUp: 'on', ...start });
  return { daemon, world, ran, said, kept, conditions };
}

const record = (condition: Condition) => {
  const { state, reason } = startupRecord(condition);
  return `${state} ${reason}`;
};

describe('process', () => {
  it('is one whole cycle: action, state, generation, count, duration', async () => {
    const { daemon, ran } = fakeIndex();
    await daemon.start();
    expect(await daemon.process(['src/a.ts', 'logo.png'])).toEqual({
      action: 'update',
      state: 'running',
      generation: 3,
      count: 1,
      durationMs: 7,
    });
    expect(ran).toEqual(['verify catch_up', 'update src/a.ts']);
    expect(record(daemon.condition())).toBe('ready reconciled');
  });

  it('does nothing for ignored paths, and leaves a degraded state as it is', async () => {
    const { daemon, world, conditions } = fakeIndex();
    world.next = 'throw';
    await daemon.start();
    const before = conditions.length;
    world.next = 'publish';
    const result = await daemon.process(['logo.png', 'tmp/woods/generation.json', 'node_modules/a/b.ts']);
    expect(result).toMatchObject({ action: 'none', state: 'degraded', generation: 1, count: 0 });
    expect(conditions).toHaveLength(before);
  });

  it('never overlaps cycles', async () => {
    const { daemon, world, ran } = fakeIndex();
    world.next = 'hang';
    const first = daemon.process(['src/a.ts']);
    const second = daemon.process(['src/b.ts']);
    await new Promise(setImmediate);
    expect(ran).toEqual(['update src/a.ts']);
    world.next = 'publish';
    world.unhang();
    expect([(await first).generation, (await second).generation]).toEqual([2, 3]);
    expect(ran).toEqual(['update src/a.ts', 'update src/b.ts']);
  });
});

describe('what cannot be done now', () => {
  it.each([
    ['busy', 'contended', /woods extract \(pid 7\)/, 'src/a.ts'],
    ['throw', 'extraction_failed', /the disk is full/, 'src/a.ts'],
    ['unmoved', 'publish_failed', /generation\.json does not name it/, 'src/a.ts'],
    ['die', 'thread_died', /out of memory/, 'whole tree'],
  ] as const)(
    '%s: degraded, pointer unmoved, carried and folded into the next cycle',
    async (next, reason, words, owed) => {
      const { daemon, world, ran, said, kept } = fakeIndex();
      await daemon.start();
      const before = world.published;
      world.next = next;
      expect(await daemon.process(['src/a.ts'])).toMatchObject({ state: 'degraded', generation: 2 });
      expect(world.published).toBe(before);
      expect(world.locks).toBe(0);
      expect(daemon.condition().trouble).toMatchObject({ reason, message: expect.stringMatching(words) });
      expect(record(daemon.condition())).toBe('degraded pending_work');
      expect(kept.at(-1)).toEqual(owed === 'whole tree' ? WHOLE_TREE_PENDING : pendingPaths(['src/a.ts']));

      world.next = 'publish';
      ran.length = 0;
      expect(await daemon.process(['src/b.ts'])).toMatchObject({ state: 'running' });
      expect(ran).toEqual([owed === 'whole tree' ? 'verify pending' : 'update src/a.ts src/b.ts']);
      expect(kept.at(-1)).toEqual(NOTHING_PENDING);
      expect(record(daemon.condition())).toBe('ready reconciled');
      expect(said.at(-1)).toBe('running again');
    },
  );

  it('is done by a retry without an event', async () => {
    const { daemon, world, ran } = fakeIndex();
    await daemon.start();
    world.next = 'busy';
    await daemon.process(['src/a.ts']);
    world.next = 'publish';
    expect(await daemon.retry()).toMatchObject({ action: 'update', state: 'running', count: 1 });
    expect(await daemon.retry()).toMatchObject({ action: 'none' });
    expect(ran).toEqual(['verify catch_up', 'update src/a.ts']);
  });

  it('never loses a path, whatever fails in whatever order', async () => {
    const step = fc.record({
      files: fc.array(fc.constantFrom('a.ts', 'b.ts', 'c.ts', 'd.md', 'e.png'), { maxLength: 3 }),
      next: fc.constantFrom('publish', 'unchanged', 'busy', 'throw', 'die', 'unmoved' as const),
      retry: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { daemon, world, ran } = fakeIndex();
        await daemon.start();
        const missing = new Set<string>();
        for (const { files, next, retry } of steps) {
          world.next = next;
          ran.length = 0;
          for (const file of files) if (file !== 'e.png') missing.add(file);
          await (retry
            ? daemon.cycle({ files, directories: [], overflow: false }).then(daemon.retry)
            : daemon.process(files));
          const succeeded = next === 'publish' || next === 'unchanged';
          if (!succeeded) continue;
          for (const run of ran) {
            if (run.startsWith('verify')) missing.clear();
            else for (const path of run.split(' ')) missing.delete(path);
          }
        }
        const { pending } = daemon.condition();
        if (pending !== 'all') expect(pending).toBe(missing.size);
        world.next = 'publish';
        ran.length = 0;
        await daemon.retry();
        for (const path of missing)
          expect(ran.some((run) => run.startsWith('verify') || run.includes(path))).toBe(true);
      }),
    );
  });
});

describe('leaving', () => {
  it('keeps what is being worked on and what was not looked at yet', async () => {
    const { daemon, world, kept } = fakeIndex();
    await daemon.start();
    world.next = 'hang';
    void daemon.process(['src/a.ts']);
    await new Promise(setImmediate);
    daemon.leave({ files: ['src/b.ts', 'logo.png'], directories: ['lib'], overflow: false });
    expect(kept).toEqual([pendingPaths(['src/a.ts', 'src/b.ts', 'lib'])]);
  });

  it('keeps the whole tree in the middle of a verification or with lost events', async () => {
    const { daemon, world, kept } = fakeIndex();
    await daemon.start();
    world.next = 'hang';
    void daemon.process(['.gitignore']);
    await new Promise(setImmediate);
    daemon.leave({ files: [], directories: [], overflow: false });
    expect(kept).toEqual([WHOLE_TREE_PENDING]);
    const idle = fakeIndex();
    await idle.daemon.start();
    idle.daemon.leave({ files: [], directories: [], overflow: true });
    expect(idle.kept).toEqual([WHOLE_TREE_PENDING]);
  });

  it('keeps nothing of a catch-up, which the next worker does anyway, but what it was started with', async () => {
    const { daemon, world, kept } = fakeIndex({ pending: pendingPaths(['src/old.ts']) });
    world.next = 'hang';
    void daemon.start();
    await new Promise(setImmediate);
    daemon.leave({ files: [], directories: [], overflow: false });
    expect(kept).toEqual([pendingPaths(['src/old.ts'])]);
  });

  it('keeps nothing when nothing is owed', async () => {
    const { daemon, kept } = fakeIndex();
    await daemon.start();
    daemon.leave({ files: ['logo.png'], directories: ['node_modules/a'], overflow: false });
    expect(kept).toEqual([]);
  });
});

describe('restart-class files', () => {
  it('ask for a restart when they differ from the boot, and what came with them is carried', async () => {
    const { daemon, world, ran, kept } = fakeIndex();
    await daemon.start();
    world.changedSinceBoot.add('package.json');
    expect(await daemon.process(['package.json', 'src/a.ts'])).toMatchObject({ action: 'restart', state: 'degraded' });
    expect(ran).toEqual(['verify catch_up']);
    expect(kept.at(-1)).toEqual(pendingPaths(['src/a.ts']));
    expect(daemon.condition().trouble?.message).toContain('package.json changed');
    expect(record(daemon.condition())).toBe('degraded restart_required');
  });

  it('ask for nothing while they are as they were', async () => {
    const { daemon } = fakeIndex();
    await daemon.start();
    expect(await daemon.process(['package.json'])).toMatchObject({ action: 'none', state: 'running' });
  });

  it('that changed while the worker booted ask for it instead of a start', async () => {
    const { daemon, world, conditions } = fakeIndex();
    world.changedSinceBoot.add('tsconfig.json');
    expect(await daemon.start()).toMatchObject({ action: 'restart', generation: 2 });
    expect(conditions.map(record)).toEqual(['degraded restart_required']);
  });

  it('do so with catch-up switched off, too', async () => {
    const { daemon, world, conditions } = fakeIndex({ catchUp: 'off' });
    world.changedSinceBoot.add('tsconfig.json');
    expect(await daemon.start()).toMatchObject({ action: 'restart' });
    expect(conditions.map(record)).toEqual(['degraded restart_required']);
  });

  it('so does an index directory that was removed or taken over', async () => {
    const { daemon, world, ran } = fakeIndex();
    await daemon.start();
    world.owned = false;
    expect(await daemon.process(['src/a.ts'])).toMatchObject({ action: 'restart' });
    expect(ran).toEqual(['verify catch_up']);
  });
});

describe('held files', () => {
  it('degrade naming file and line, are tried again with the next event, and recover', async () => {
    const { daemon, world, ran, said } = fakeIndex();
    await daemon.start();
    world.held = [held('src/broken.ts')];
    expect(await daemon.process(['src/broken.ts', 'src/a.ts'])).toMatchObject({ state: 'degraded', generation: 3 });
    expect(daemon.condition().trouble?.message).toContain("src/broken.ts:3 ';' expected");
    expect(said.at(-1)).toContain('src/broken.ts:3');
    expect(record(daemon.condition())).toBe('degraded pending_work');
    world.held = [];
    await daemon.process(['src/a.ts']);
    expect(ran.at(-1)).toBe('update src/a.ts src/broken.ts');
    expect(daemon.condition()).toMatchObject({ trouble: null, held: [] });
    expect(said.at(-1)).toBe('running again');
  });
});

describe('catch-up', () => {
  it.each([
    ['busy', 1, 'degraded pending_work'],
    ['throw', 1, 'degraded startup_failed'],
    ['unchanged', 1, 'ready reconciled'],
  ] as const)('%s with an index: %s %s', async (next, _, expected) => {
    const { daemon, world } = fakeIndex();
    world.next = next;
    await daemon.start();
    expect(record(daemon.condition())).toBe(expected);
  });

  it('that fails without an index says so', async () => {
    const { daemon, world } = fakeIndex({ pointer: null });
    world.next = 'throw';
    await daemon.start();
    expect(startupRecord(daemon.condition())).toMatchObject({ state: 'degraded', reason: 'no_index', generation: 0 });
  });

  it('that failed is made up for by the next run', async () => {
    const { daemon, world, ran } = fakeIndex();
    world.next = 'busy';
    await daemon.start();
    world.next = 'publish';
    await daemon.process(['src/a.ts']);
    expect(ran).toEqual(['verify pending']);
    expect(record(daemon.condition())).toBe('ready reconciled');
  });

  it('switched off is never ready', async () => {
    const { daemon, world, ran } = fakeIndex({ catchUp: 'off', pending: pendingPaths(['src/old.ts']) });
    expect(record(daemon.condition())).toBe('degraded catch_up_disabled');
    await daemon.start();
    expect(ran).toEqual(['update src/old.ts']);
    world.next = 'throw';
    await daemon.process(['src/a.ts']);
    expect(record(daemon.condition())).not.toContain('ready');
    world.next = 'publish';
    await daemon.process(['src/a.ts']);
    expect(record(daemon.condition())).toBe('degraded catch_up_disabled');
  });
});
