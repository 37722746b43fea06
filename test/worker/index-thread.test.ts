import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { type IndexThread, openIndexThread } from '../../packages/worker/src/thread/handle.ts';
import type { ThreadStart } from '../../packages/worker/src/thread/messages.ts';

let place = '';
let thread: IndexThread | null = null;
const told: [done: number, total: number][] = [];
afterEach(async () => {
  await thread?.end();
  rmSync(place, { recursive: true, force: true });
});

/** A thread that obeys with `body`, a JavaScript function body of `order`, `lives` (threads so far) and `reply`. */
function threadThat(body: string): IndexThread {
  place = mkdtempSync(join(tmpdir(), 'woods-thread-'));
  const entry = join(place, 'entry.mjs');
  writeFileSync(
    entry,
    `import { parentPort, threadId } from 'node:worker_threads';
     const reply = (value) => parentPort.postMessage(value);
     parentPort.on('message', async (order) => { ${body} });`,
  );
  // these threads read nothing of what they are started with
  thread = openIndexThread({} as ThreadStart, {
    entry: pathToFileURL(entry),
    onProgress: (done, total) => told.push([done, total]),
  });
  return thread;
}

const ran = (value: string) => `reply({ kind: 'ran', result: ${value} });`;

describe('the index thread', () => {
  it('tells how far it is before it answers', async () => {
    told.length = 0;
    const index = threadThat(`reply({ kind: 'progress', done: 3, total: 9 }); ${ran('1')}`);
    expect(await index.verify('catch_up')).toBe(1);
    expect(told).toEqual([[3, 9]]);
  });

  it('works on one order after the other, in their order', async () => {
    const index = threadThat(`
      globalThis.seen ??= [];
      seen.push('begin ' + order.kind);
      await new Promise((resolve) => setTimeout(resolve, order.kind === 'update' ? 30 : 0));
      seen.push('end ' + order.kind);
      ${ran('{ seen: [...seen] }')}`);
    const both = await Promise.all([index.update(new Set(['a.ts'])), index.verify('storm')]);
    expect(both[1]).toEqual({ seen: ['begin update', 'end update', 'begin reconcile', 'end reconcile'] });
  });

  it.each(['extraction_failed', 'publish_failed'] as const)('hands on what a run failed with: %s', async (cause) => {
    const index = threadThat(`reply({ kind: 'failed', cause: '${cause}', message: 'src/a.ts: too deep' });`);
    await expect(index.verify('catch_up')).rejects.toMatchObject({
      cause,
      message: 'src/a.ts: too deep',
    });
  });

  it.each([
    ['throws', `setImmediate(() => { throw new Error('kaput'); });`, /kaput/],
    ['exits', 'process.exit(3);', /code 3/],
  ])(
    'that %s is told apart, and another one does the next order',
    async (_, death, words) => {
      const index = threadThat(`if (order.kind === 'update') { ${death} } else { ${ran('threadId')} }`);
      const before = await index.verify('catch_up');
      await expect(index.update(new Set(['a.ts']))).rejects.toMatchObject({
        cause: 'thread_died',
        message: expect.stringMatching(words),
      });
      expect(await index.verify('pending')).not.toBe(before);
    },
    60_000,
  );

  it('ends in the middle of a busy loop, at once, and answers nothing any more', async () => {
    const index = threadThat(`if (order.kind === 'update') for (;;); else { ${ran('1')} }`);
    await index.verify('catch_up');
    let answered = false;
    void index.update(new Set(['a.ts'])).then(
      () => (answered = true),
      () => (answered = true),
    );
    await new Promise(setImmediate);
    const began = performance.now();
    await index.end();
    expect(performance.now() - began).toBeLessThan(500);
    void index.verify('catch_up').finally(() => (answered = true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(answered).toBe(false);
  });
});
